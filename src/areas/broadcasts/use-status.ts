// What the project has on air now: as it is told, else asked again and again while somebody looks.
import { useQuery } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { useIsLive } from '#src/realtime/store.ts'

/** After an answer that is none: a service that does not know the question is not asked every second. */
const afterFailureMs = 30_000

/**
 * The status of the project. Where changes do not come by themselves it is renewed while the page is visible; several of
 * them are one question, as often as the most impatient one wants it.
 */
export function useStatus(projectId: number, everyMs: number) {
  const isLive = useIsLive(projectId)
  return useQuery({
    ...q(broadcasts.status, { project_id: projectId }),
    // An address may name anything.
    enabled: Number.isSafeInteger(projectId) && projectId > 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? afterFailureMs : isLive ? false : everyMs),
    // A line may be dead without anybody having noticed while the tab slept.
    refetchOnWindowFocus: 'always',
  })
}
