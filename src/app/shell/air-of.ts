// On-air state of a project, from its broadcast status.
import type { BroadcastStatus, Restream } from '#contract/entities/on-air.ts'
import type { Air } from '#src/stores/air.ts'

/** Returns the on-air state that the pill, the title and the icon of the tab show. */
export function airOf(status: BroadcastStatus): Air {
  if (status.kind === 'inactive') return 'off'
  if (status.status !== 'active') return status.status === 'lost' ? 'lost' : 'paused'
  return status.restreams.some(isTroubled) ? 'trouble' : 'on'
}

/** A retry is part of the problem until the channel is live. */
const isTroubled = ({ state, attempt = 0 }: Restream): boolean =>
  state === 'backoff' ||
  state === 'rejected' ||
  state === 'degraded' ||
  ((state === 'connecting' || state === 'publishing') && attempt > 0)
