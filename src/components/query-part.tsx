import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useDeferredValue } from 'react'
import { Failure } from './failure.tsx'

interface Props<T> {
  readonly query: UseQueryResult<T>
  /** Name of the content for the error message. */
  readonly failed: string
  /** Placeholder of the same size as the content. */
  readonly skeleton: ReactNode
  readonly children: (data: T) => ReactNode
}

/**
 * A part of a page that depends on one query. When the query fails, the part shows the error and keeps the previous
 * data.
 * Texts and code of the data load here: the rest of the page keeps its state, and so does text that the user is
 * typing. The first render is interruptible: many parts arrive together while the user already interacts with the
 * page.
 */
export function QueryPart<T>({ query, failed, skeleton, children }: Props<T>) {
  const { data, error, isFetching, refetch } = query
  const isShown = useDeferredValue(data !== undefined) && data !== undefined
  return (
    <>
      {error && <Failure title={failed} error={error} isRetrying={isFetching} onRetry={() => void refetch()} />}
      {isShown && <Suspense fallback={skeleton}>{children(data)}</Suspense>}
      {!isShown && !error && skeleton}
    </>
  )
}
