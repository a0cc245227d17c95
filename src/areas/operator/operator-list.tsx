import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import type { To } from 'react-router'
import { PagedList } from '#src/components/paged-list.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { ListExport, type ListFile, type ListPage } from './list-export.tsx'

interface Props<R> {
  /** One page of the list; keep the previous page as a placeholder. */
  readonly query: UseQueryResult<ListPage<R>>
  /** Name of the list for assistive technology. */
  readonly label: string
  /** Name of the content for the error message. */
  readonly failed: string
  /** Content of a page without rows. */
  readonly none: ReactNode
  /** Height of the placeholder, pixels. */
  readonly height?: number
  /** Current page, from 1. */
  readonly page: number
  /** Rows per page. */
  readonly size: number
  readonly to: (page: number) => To
  /** Filters as text: others make another file. */
  readonly filters?: string
  readonly file: ListFile<R>
  /** Content of a row. */
  readonly children: (row: R) => ReactNode
}

/** A list of administration: one page of rows with its pager, and all rows as CSV. */
export function OperatorList<R>({ label, none, height = 360, filters, file, children, ...paged }: Props<R>) {
  return (
    <PagedList {...paged} height={height} empty={none} foot={<ListExport key={filters} {...file} />}>
      {(rows) => (
        <RowList label={label}>
          {rows.map((row) => (
            <Fragment key={file.keyOf(row)}>{children(row)}</Fragment>
          ))}
        </RowList>
      )}
    </PagedList>
  )
}
