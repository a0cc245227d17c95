// On-air state of a project, from its broadcast status.
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import type { Air } from '#src/stores/air.ts'

/** Returns the on-air state that the pill, the title and the icon of the tab show. */
export function airOf(status: BroadcastStatus): Air {
  if (status.kind === 'inactive') return 'off'
  const { level, reasons = [] } = status.verdict ?? {}
  if (status.status === 'lost') return reasons.some(({ kind }) => kind === 'held') ? 'held' : 'lost'
  if (status.status === 'pause') return 'paused'
  return level === 'warning' || level === 'problem' ? level : 'on'
}
