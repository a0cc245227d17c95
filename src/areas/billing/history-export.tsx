import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { exportMax, readPages } from '#src/api/read-pages.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { download } from '#src/lib/table-file.ts'
import { Button } from '#src/ui/button.tsx'
import styles from './billing.module.css'
import { fileOf } from './history-file.ts'
import { askOf, type View } from './history-view.ts'

/** Button that exports the filtered movements as CSV. */
export function HistoryExport({ projectId, view }: { readonly projectId: number; readonly view: View }) {
  const { t } = useTranslation(['billing-history', 'billing'])
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      const sessionId = sessionOf(queries)
      const { rows, isCut } = await readPages(
        (page) => call(moneyFlow.list, askOf(projectId, view, page), { sessionId }),
        (row) => row.money_flow_id,
      )
      const name = `billing-${projectId}-${new Date().toISOString().slice(0, 10)}.csv`
      download(name, 'text/csv;charset=utf-8', fileOf(rows, t))
      return isCut
    },
  })
  const state = () => {
    if (save.error) return t('export.failed') + stop + why(save.error)
    return save.data ? t('export.cut', { count: exportMax }) : ''
  }
  return (
    <div className={styles.foot}>
      <Button look="outline" isBusy={save.isPending} onClick={() => save.mutate()}>
        {t('export.csv')}
      </Button>
      <output className={styles.quiet}>{state()}</output>
    </div>
  )
}
