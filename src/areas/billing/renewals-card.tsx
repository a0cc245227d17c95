import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Renewal, renewals } from '#contract/areas/billing/renewals.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { RenewalSwitch, RenewalText } from '#src/components/renewal.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ListCard } from './list-card.tsx'

/** Automatic renewal of each bought plan: switch, what the next renewal will do, and a failed one with its reason. */
export function RenewalsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('renewal')
  const list = useQuery(q(renewals.list, { project_id: projectId }))
  return (
    <ListCard
      title={t('title')}
      note={t('note')}
      query={list}
      failed={t('failed')}
      none={t('none')}
      row={(row) => <RenewalRow key={row.line} projectId={projectId} row={row} />}
    />
  )
}

function RenewalRow({ projectId, row }: { readonly projectId: number; readonly row: Renewal }) {
  const { t } = useTranslation('renewal')
  const why = useFailureText()
  const { colon } = usePunctuation()
  const { line, title, enabled, amount, reason } = row
  const retry = useWrite(renewals.retry)
  const name = t(`line.${line}`) + colon + title
  return (
    <Row
      title={name}
      about={<RenewalText row={row} />}
      actions={<RenewalSwitch projectId={projectId} row={row} label={t('switch', { name })} isLabelHidden />}
    >
      {enabled && reason !== null && amount !== null && (
        <Button look="outline" isBusy={retry.isPending} onClick={() => retry.mutate({ project_id: projectId, line })}>
          {t('retry')}
        </Button>
      )}
      {retry.error && <Note tone="live">{why(retry.error)}</Note>}
    </Row>
  )
}
