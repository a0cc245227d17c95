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
  const recent = [id, ...recentProjects.getState().recent.filter((other) => other !== id)].slice(0, keep)
  recentProjects.setState({ recent })
  remember('projects', recent.join(','))
}

/** Forgets them all: the next person at this browser has other projects. */
export function forgetProjects(): void {
  recentProjects.setState({ recent: [] })
  remember('projects', null)
}
