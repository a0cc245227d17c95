import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Renewal, renewals } from '#contract/areas/billing/renewals.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { Switch } from '#src/ui/switch.tsx'
import styles from './details.module.css'
import { ListCard } from './list-card.tsx'

const lines = { restream, transcoding, storage } as const

/** Automatic renewal of each bought plan: switch, next charge, and a failed charge with its reason. */
export function RenewalsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('billing-details', { keyPrefix: 'renewal' })
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
  const { t, i18n } = useTranslation('billing-details', { keyPrefix: 'renewal' })
  const why = useFailureText()
  const { colon } = usePunctuation()
  const { line, title, enabled, amount, currency, reason, date_next, date_end } = row
  const change = useWrite(lines[line].prolongation)
  const retry = useWrite(renewals.retry)
  const name = t(`line.${line}`) + colon + title
  const error = change.error ?? retry.error
  const hasFailed = enabled && reason !== null
  const isKnown = reason !== null && i18n.exists(`billing-details:renewal.reason.${reason}`)
  return (
    <Row
      title={name}
      about={
        <>
          {t('ends')} <DateStamp iso={date_end} />
          {enabled && amount !== null && date_next !== null && (
            <p className={styles.next}>
              {t('charge')} <MoneyAmount amountMinor={amount} currency={currency} /> {t('next')}{' '}
              <DateStamp iso={date_next} />
            </p>
          )}
        </>
      }
      actions={
        <Switch
          label={t('switch', { name })}
          isLabelHidden
          isOn={change.isPending ? change.variables.enabled : enabled}
          isBusy={change.isPending}
          onChange={(isOn) => change.mutate({ project_id: projectId, enabled: isOn })}
        />
      }
    >
      {(hasFailed || error) && (
        <>
          {hasFailed && <Note tone="warn">{isKnown ? t(`reason.${reason}`) : t('reason.other', { reason })}</Note>}
          {hasFailed && amount !== null && (
            <Button
              look="outline"
              isBusy={retry.isPending}
              onClick={() => retry.mutate({ project_id: projectId, line })}
            >
              {t('retry')}
            </Button>
          )}
          {error && <Note tone="live">{why(error)}</Note>}
        </>
      )}
    </Row>
  )
}
