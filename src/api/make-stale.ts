// Refetching after a change.
import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/**
 * Makes data stale after a change, and refetches what pages show. A first response that is still awaited may be older than the
 * change, and the library would keep it: it is refetched as soon as it has arrived.
 */
export function makeStale(queries: QueryClient, filters: InvalidateQueryFilters): void {
  const { refetchType, ...which } = filters
  const awaited = queries.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' })
  const first = awaited.filter(({ state }) => state.data === undefined)
  void queries.invalidateQueries(filters)
  for (const query of first) {
    const again = () =>
      queries.invalidateQueries({ queryKey: query.queryKey, exact: true, ...(refetchType && { refetchType }) })
    // While it is fetching, `fetch` returns the promise of that.
    query.fetch().then(again, () => undefined)
  }
}
