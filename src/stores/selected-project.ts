// Projects as they were visited in this browser, the latest first: where `/` leads, and the order of the switcher.
import { createStore } from 'zustand/vanilla'
import { recall, remember } from '#src/lib/storage.ts'

const keep = 8

interface RecentProjects {
  readonly recent: readonly number[]
}

const stored = (): number[] =>
  (recall('projects') ?? '').split(',').map(Number).filter(Number.isSafeInteger).filter(Boolean)

export const recentProjects = createStore<RecentProjects>(() => ({ recent: stored() }))

/** The project that was looked at last, or null. */
export const selectedProject = (): number | null => recentProjects.getState().recent[0] ?? null

/** Notes that a project is being looked at. */
export function visitProject(id: number): void {
  keepOnly([id, ...others(id)])
}

/** Forgets a project that is not there, or no longer for this person. */
export function forgetProject(id: number): void {
  keepOnly(others(id))
}

/** Forgets them all: the next person at this browser has other projects. */
export function forgetProjects(): void {
  keepOnly([])
}

const others = (id: number) => recentProjects.getState().recent.filter((other) => other !== id)

function keepOnly(projects: readonly number[]): void {
  const recent = projects.slice(0, keep)
  recentProjects.setState({ recent })
  remember('projects', recent.length === 0 ? null : recent.join(','))
}
