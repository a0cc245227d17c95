// Broadcast status of a project: from realtime events, else polled while the page is visible.
import { replaceEqualDeep, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import { type Air, fillOf, offAir, slateOf } from '#src/lib/health.ts'
import { useIsLive } from '#src/realtime/store.ts'

/** Polling interval after a failure, for services without this operation, milliseconds. */
const afterFailureMs = 30_000

/** Most of a status changes every second: structural sharing is off, and `calm` keeps the stable part. */
export const asItComes = { structuralSharing: false } as const

/**
 * Broadcast status of a project without per-second metrics (`useLiveFigures` provides those), so that components render only
 * on state changes. Without realtime events it polls while the page is visible; several components share one request
 * at the shortest of their intervals.
 * @param everyMs polling interval, milliseconds
 */
export function useStatus(projectId: number, everyMs: number) {
  const isLive = useIsLive(projectId)
  return useQuery({
    ...q(broadcasts.status, { project_id: projectId }),
    ...asItComes,
    select: calm,
    // Realtime events keep the data fresh; a stale timer for each event is unnecessary.
    ...(isLive && { staleTime: Infinity }),
    // The URL may contain any id.
    enabled: Number.isSafeInteger(projectId) && projectId > 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? afterFailureMs : isLive ? false : everyMs),
    // The connection may have died unnoticed while the tab was asleep.
    refetchOnWindowFocus: 'always',
  })
}

/** Returns what the channels of a project receive. */
export function useAir(projectId: number): Air {
  const { data } = useStatus(projectId, 10_000)
  if (data === undefined || data.kind === 'inactive') return offAir
  const isPaused = data.status === 'pause' && !slateOf(data)
  return { isPaused, fill: isPaused ? null : fillOf(data), isScheduled: data.kind === 'scheduler' }
}

/** Returns whether the data may be outdated: no realtime events, and the last request failed. */
export const isLastKnown = ({ data, isError, failureCount }: UseQueryResult): boolean =>
  data !== undefined && (isError || failureCount > 0)

const last: { status?: BroadcastStatus; calm?: BroadcastStatus } = {}

/** Returns the same object to all subscribers until the stable part changes. */
function calm(status: BroadcastStatus): BroadcastStatus {
  if (last.status !== status) Object.assign(last, { status, calm: replaceEqualDeep(last.calm, resting(status)) })
  return last.calm ?? status
}

function resting(status: BroadcastStatus): BroadcastStatus {
  if (status.kind === 'inactive') return status
  const { fps, bitrate_state: state, bitrate_judged: judged, restreams } = status
  return {
    ...status,
    date_sample: null,
    bitrate: null,
    bitrate_judged: state === 'fine' ? null : judged,
    fps: fps === null ? null : Math.round(fps),
    restreams: restreams.map(({ bytes: _bytes, queued: _queued, ...rest }) => rest),
  }
}
