import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toApiError } from '#src/api/api-error.ts'
import { forgetAbsent, notePartial } from '#src/stores/absent.ts'

const isMissing = (error: unknown): boolean => error !== null && toApiError(error).kind === 'missing'

/** Notes that the server of this session lacks operations, as soon as it refuses a read with that reason. */
export function usePartialServer(): void {
  const queries = useQueryClient()
  useEffect(() => {
    forgetAbsent()
    const reads = queries.getQueryCache()
    if (reads.getAll().some(({ state }) => isMissing(state.error))) notePartial()
    return reads.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isMissing(event.action.error)) notePartial()
    })
  }, [queries])
}
