import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionOf } from '#src/api/query-client.ts'
import { exportMax, readPages } from '#src/api/read-pages.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { toCsv } from '#contract/core/csv.ts'
import { download } from '#src/lib/download.ts'
import { Button } from '#src/ui/button.tsx'
import styles from './operator.module.css'

/** One page of a list. */
export interface ListPage<R> {
  readonly results: readonly R[]
  readonly total: number
}

/** Columns of the file: name on the wire, and cell. Amounts are decimal numbers, times in UTC. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | number | null>>

/** What a list is saved as. */
export interface ListFile<R> {
  /** First part of the file name. */
  readonly name: string
  /** Returns one page of the list with its filters. */
  readonly read: (
    page: { readonly limit: number; readonly offset: number },
    sessionId: string | null,
  ) => Promise<ListPage<R>>
  /** Id of a row. */
  readonly keyOf: (row: R) => number
  readonly columns: Columns<R>
}

/** Button that saves all rows of a filtered list as CSV. */
export function ListExport<R>({ name, read, keyOf, columns }: ListFile<R>) {
  const { t } = useTranslation('operator-desk')
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      const sessionId = sessionOf(queries)
      const { rows, isCut } = await readPages((page) => read(page, sessionId), keyOf)
      const cells = Object.values(columns)
      const table = rows.map((row) => cells.map((of) => of(row)))
      download(
        `${name}-${new Date().toISOString().slice(0, 10)}.csv`,
        'text/csv;charset=utf-8',
        toCsv(Object.keys(columns), table),
      )
      return isCut
    },
  })
  const state = save.error
    ? t('export.failed') + stop + why(save.error)
    : save.data
      ? t('export.cut', { count: exportMax })
      : ''
  return (
    <div className={styles.actions}>
      <Button look="outline" isBusy={save.isPending} onClick={() => save.mutate()}>
        {t('export.csv')}
      </Button>
      <output className={styles.quiet}>{state}</output>
    </div>
  )
}
