import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useDeferredValue } from 'react'
import { Failure } from './failure.tsx'

interface Props<T> {
  readonly query: UseQueryResult<T>
  /** What could not be shown, in words, if it cannot. */
  readonly failed: string
  /** Of the size of what replaces it. */
  readonly skeleton: ReactNode
  readonly children: (data: T) => ReactNode
}

/**
 * A part of a page that stands on one query. When that fails, the part says so, and keeps what was known before. Texts and
 * code that only its data needs are waited for here: the page around it stays as it is, and so does what somebody types.
 * What comes at first is drawn piece by piece: much of a page comes at once then, and people touch it already.
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
