import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toApiError } from '#src/api/api-error.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface Props<T> {
  readonly query: UseQueryResult<T>
  /** Title of the page while there is no text. */
  readonly title: string
  readonly failed: string
  /** Says that the text does not exist. */
  readonly unknown: string
  /** Link to the texts that exist. */
  readonly back: ReactNode
  /** The page of the text. */
  readonly children: (data: T) => ReactNode
}

/** A page whose text loads, fails or does not exist. */
export function TextQuery<T>({ query, title, failed, unknown, back, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  const isUnknown = query.error !== null && toApiError(query.error).status === 404
  return (
    <Page title={title}>
      {isUnknown ? (
        <EmptyState title={unknown} action={back} />
      ) : (
        <QueryPart query={query} failed={failed} skeleton={<Skeleton height={480} />}>
          {() => null}
        </QueryPart>
      )}
    </Page>
  )
}
