import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface Props<R> {
  readonly title: string
  readonly note: string
  readonly query: UseQueryResult<{ readonly results: readonly R[] }>
  /** Text for a failed query. */
  readonly failed: string
  /** Text for an empty list. */
  readonly none: string
  readonly row: (row: R) => ReactNode
}

/** Card with a short list. */
export function ListCard<R>({ title, note, query, failed, none, row }: Props<R>) {
  return (
    <Card title={title} note={note}>
      <QueryPart query={query} failed={failed} skeleton={<Skeleton height={72} />}>
        {({ results }) => (results.length === 0 ? <p>{none}</p> : <RowList>{results.map(row)}</RowList>)}
      </QueryPart>
    </Card>
  )
}
