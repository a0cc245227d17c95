import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { To } from 'react-router'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './paged-list.module.css'
import { Pager } from './pager.tsx'
import { QueryPart } from './query-part.tsx'

interface Props<R> {
  /** One page of the list; keep the previous page as a placeholder. */
  readonly query: UseQueryResult<{ readonly results: readonly R[]; readonly total: number }>
  /** Name of the content for the error message. */
  readonly failed: string
  /** Height of the placeholder, pixels. */
  readonly height: number
  /** Current page, from 1. */
  readonly page: number
  /** Rows per page. */
  readonly size: number
  readonly to: (page: number) => To
  /** Content of a page without rows. */
  readonly empty: ReactNode
  /** Beside the pager. */
  readonly foot?: ReactNode
  readonly children: (rows: readonly R[]) => ReactNode
}

/** One page of a list with its pager, or the state of an empty list. */
export function PagedList<R>({ query, failed, height, page, size, to, empty, foot, children }: Props<R>) {
  return (
    <QueryPart query={query} failed={failed} skeleton={<Skeleton height={height} />}>
      {({ results, total }) => {
        const pager = <Pager {...{ page, size, total, to }} />
        if (results.length === 0)
          return (
            <>
              {empty}
              {pager}
            </>
          )
        return (
          <>
            {children(results)}
            {foot === undefined ? (
              pager
            ) : (
              <div className={styles.foot}>
                {foot}
                {pager}
              </div>
            )}
          </>
        )
      }}
    </QueryPart>
  )
}
