import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface Props<T> {
  readonly query: UseQueryResult<T>
  /** What could not be shown, in words, if it cannot. */
  readonly failed: string
  /** Of the size of what replaces it. */
  readonly skeleton: ReactNode
  readonly children: (data: T) => ReactNode
}

/** A part of a page that stands on one query. When that fails, the part says so, and keeps what was known before. */
export function QueryPart<T>({ query, failed, skeleton, children }: Props<T>) {
  const { data, error, isFetching, refetch } = query
  return (
    <>
      {error && <Failure title={failed} error={error} isRetrying={isFetching} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && !error && skeleton}
    </>
  )
}
