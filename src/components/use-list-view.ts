import { type To, useSearchParams } from 'react-router'
import { pageOf, paramsOf, writtenParams } from '#src/lib/page-params.ts'

/** Page of a list, from 1. */
interface Paged {
  readonly page: number
}

/**
 * View of a list, stored in the URL, and functions that change it.
 * @param read reads a view from URL parameters; invalid values fall back to defaults
 * @param write URL parameters of a changed view; a changed filter returns to page 1
 */
export function useListView<V extends Paged>(
  read: (params: URLSearchParams) => V,
  write: (view: V, change: Partial<V>) => URLSearchParams,
) {
  const [params, setParams] = useSearchParams()
  const view = read(params)
  return {
    view,
    /** The view as text, for keys of components. */
    key: params.toString(),
    change: (part: Partial<V>) =>
      setParams(write(read(writtenParams()), part), { replace: true, preventScrollReset: true }),
    reset: () => setParams({}, { replace: true }),
    /** Address of a page, for `PagedList`. */
    to: (page: number): To => ({ search: write(view, { page } as Partial<V>).toString() }),
  }
}

/** Page of a list without filters, stored in the URL. */
export const usePageView = () =>
  useListView<Paged>(
    (params) => ({ page: pageOf(params) }),
    (view, change) => paramsOf({ page: { ...view, ...change }.page }),
  )
