import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionOf } from '#src/api/query-client.ts'
import { exportMax } from '#src/api/read-pages.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { download } from '#src/lib/table-file.ts'
import { readAll, toCsv, toJson } from './history-export.ts'
import type { View } from './history-view.ts'
import styles from './projects.module.css'
import { useTranslate } from './use-translate.ts'

interface Props {
  readonly projectId: number
  readonly view: View
}

/** Buttons that export the filtered history as a file. */
export function HistoryExport({ projectId, view }: Props) {
  const { t } = useTranslation('projects')
  const words = useTranslate()
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const { rows, isCut } = await readAll(projectId, view, sessionOf(queries))
      const name = `history-${projectId}-${new Date().toISOString().slice(0, 10)}.${format}`
      if (format === 'csv') download(name, 'text/csv;charset=utf-8', toCsv(rows, words))
      else download(name, 'application/json', toJson(rows))
      return isCut
    },
  })
  const state = () => {
    if (save.isPending) return t('history.exporting')
    if (save.error) return t('history.exportFailed') + stop + why(save.error)
    return save.data ? t('history.exportCut', { count: exportMax }) : ''
  }
  return (
    <div className={styles.foot} role="group" aria-label={t('history.export')}>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} look="outline" isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {t(`history.${format}`)}
        </Button>
      ))}
      <output className={styles.quiet}>{state()}</output>
    </div>
  )
}
