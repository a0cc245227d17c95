// What the project has on air now, asked again and again while somebody looks.
import { useQuery } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'

/** After an answer that is none: a service that does not know the question is not asked every second. */
const afterFailureMs = 30_000

/**
 * The status of the project, renewed while the page is visible. Several of them are one question, as often as the most
 * impatient one wants it.
 */
export const useStatus = (projectId: number, everyMs: number) =>
  useQuery({
    ...q(broadcasts.status, { project_id: projectId }),
    // An address may name anything.
    enabled: Number.isSafeInteger(projectId) && projectId > 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? afterFailureMs : everyMs),
    refetchOnWindowFocus: 'always',
  })
