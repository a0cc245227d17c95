// Timeline of a run: faults of the cluster, and violations.
const since = performance.now()
const entries: string[] = []

/** Milliseconds since the start of the run. */
export const now = (): number => performance.now() - since

/** Records an event. */
export function note(text: string): void {
  entries.push(`${(now() / 1000).toFixed(2).padStart(8)} s  ${text}`)
}

/** Returns all events, oldest first. */
export const timeline = (): readonly string[] => entries
