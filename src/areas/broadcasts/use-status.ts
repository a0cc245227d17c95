// What the project has on air now: as it is told, else asked again and again while somebody looks.
import { useQuery } from '@tanstack/react-query'
import { air } from '#contract/areas/broadcasts/air.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import { useIsLive } from '#src/realtime/store.ts'

/** After an answer that is none: a service that does not know the question is not asked every second. */
const afterFailureMs = 30_000

/**
 * The status of the project, without what moves each second (`usePulse` has that): whoever shows it is drawn anew when
 * something has happened. Where changes do not come by themselves it is renewed while the page is visible; several of
 * them are one question, as often as the most impatient one wants it.
 */
export function useStatus(projectId: number, everyMs: number) {
  const isLive = useIsLive(projectId)
  return useQuery({
    ...q(air.status, { project_id: projectId }),
    select: calm,
    // An address may name anything.
    enabled: Number.isSafeInteger(projectId) && projectId > 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? afterFailureMs : isLive ? false : everyMs),
    // A line may be dead without anybody having noticed while the tab slept.
    refetchOnWindowFocus: 'always',
  })
}

function calm(status: BroadcastStatus): BroadcastStatus {
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
