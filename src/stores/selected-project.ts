// Recently visited projects of this browser, latest first: target of `/`, and the order of the switcher.
import { createStore } from 'zustand/vanilla'
import { recall, remember } from '#src/lib/storage.ts'

const keep = 8

interface RecentProjects {
  readonly recent: readonly number[]
}

const stored = (): number[] =>
  (recall('projects') ?? '').split(',').map(Number).filter(Number.isSafeInteger).filter(Boolean)

export const recentProjects = createStore<RecentProjects>(() => ({ recent: stored() }))

/** The last visited project, or null. */
export const selectedProject = (): number | null => recentProjects.getState().recent[0] ?? null

/** Stores a visit. */
export function visitProject(id: number): void {
  keepOnly([id, ...others(id)])
}

/** Removes a project that does not exist, or that the user may no longer see. */
export function forgetProject(id: number): void {
  keepOnly(others(id))
}

/** Removes all: the next user of this browser has other projects. */
export function forgetProjects(): void {
  keepOnly([])
}

const others = (id: number) => recentProjects.getState().recent.filter((other) => other !== id)

function keepOnly(projects: readonly number[]): void {
  const recent = projects.slice(0, keep)
  recentProjects.setState({ recent })
  remember('projects', recent.length === 0 ? null : recent.join(','))
}
