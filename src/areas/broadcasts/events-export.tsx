import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionOf } from '#src/api/query-client.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import styles from './broadcasts.module.css'
import { download } from '#src/lib/table-file.ts'
import { exportMax, readAll, toCsv } from './events-file.ts'

/** Button that exports the filtered events as CSV. */
export function EventsExport({ ask }: { readonly ask: Parameters<typeof readAll>[0] }) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'events' })
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const { events, isCut } = await readAll(ask, exportMax, sessionOf(queries))
      const name = `broadcast-${ask.broadcast_id}-events.${format}`
      if (format === 'csv') download(name, 'text/csv;charset=utf-8', toCsv(events))
      else download(name, 'application/json', `${JSON.stringify(events, null, 2)}\n`)
      return isCut
    },
  })
  const state = () => {
    if (save.error) return t('exportFailed') + stop + why(save.error)
    return save.data ? t('exportCut', { count: exportMax }) : ''
  }
  return (
    <div className={styles.foot} role="group" aria-label={t('export')}>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} look="outline" isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {t(format)}
        </Button>
      ))}
      <output className={styles.quiet}>{state()}</output>
    </div>
  )
}
