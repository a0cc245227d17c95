// What the project has on air now: as it is told, else asked again and again while somebody looks.
import { replaceEqualDeep, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import { useIsLive } from '#src/realtime/store.ts'

/** After an answer that is none: a service that does not know the question is not asked every second. */
const afterFailureMs = 30_000

/** Most of a status is new each second: it is taken as it comes, and what rests is found once, by `calm`. */
export const asItComes = { structuralSharing: false } as const

/**
 * The status of the project, without what moves each second (`usePulse` has that): whoever shows it is drawn anew when
 * something has happened. Where changes do not come by themselves it is renewed while the page is visible; several of
 * them are one question, as often as the most impatient one wants it.
 */
export function useStatus(projectId: number, everyMs: number) {
  const isLive = useIsLive(projectId)
  return useQuery({
    ...q(broadcasts.status, { project_id: projectId }),
    ...asItComes,
    select: calm,
    // It is as fresh as it can be while changes come by themselves: no timer for each that was told.
    ...(isLive && { staleTime: Infinity }),
    // An address may name anything.
    enabled: Number.isSafeInteger(projectId) && projectId > 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? afterFailureMs : isLive ? false : everyMs),
    // A line may be dead without anybody having noticed while the tab slept.
    refetchOnWindowFocus: 'always',
  })
}

/** Is it only what was known last? Nothing tells of changes, and who is asked does not answer. */
export const isLastKnown = ({ data, isError, failureCount }: UseQueryResult): boolean =>
  data !== undefined && (isError || failureCount > 0)

const last: { status?: BroadcastStatus; calm?: BroadcastStatus } = {}

/** The same value for as long as nothing has happened, for all who look. */
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
