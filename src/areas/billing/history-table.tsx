import { useTranslation } from 'react-i18next'
import type { MoneyFlowRow } from '#contract/areas/billing/money-flow.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { Badge } from '#src/ui/badge.tsx'
import styles from './history.module.css'
import { personOf, typeOf } from './history-file.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { papers } from '#contract/areas/billing/papers.ts'
import { q } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** Movements, newest first, each with the balance after it. Narrow windows show five facts in three columns. */
export function HistoryTable({
  projectId,
  rows,
}: {
  readonly projectId: number
  readonly rows: readonly MoneyFlowRow[]
}) {
  const { t } = useTranslation(['billing-history', 'billing'])
  return (
    <table className={styles.table} aria-label={t('title')}>
      <thead>
        <tr>
          <th scope="col">{t('column.date')}</th>
          <th scope="col">{t('column.what')}</th>
          <th scope="col" className={styles.wide}>
            {t('column.balance')}
          </th>
          <th scope="col" className={styles.number}>
            {t('column.amount')}
          </th>
          <th scope="col" className={`${styles.number} ${styles.wide}`}>
            {t('column.after')}
          </th>
          <th scope="col" className={styles.wide}>
            {t('column.status')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <MovementRow key={row.money_flow_id} projectId={projectId} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function MovementRow({ projectId, row }: { readonly projectId: number; readonly row: MoneyFlowRow }) {
  const { t } = useTranslation(['billing-history', 'billing'])
  const after = <MoneyAmount amountMinor={row.balance + row.amount} currency={row.currency} />
  const status = <PaymentState projectId={projectId} row={row} />
  const about = [row.title, personOf(row)].filter(Boolean).join(' · ')
  return (
    <tr>
      <td className={styles.date}>
        <DateStamp iso={row.date} />
      </td>
      <td>
        <div className={styles.what}>{t(`flow.${row.type}`)}</div>
        {about && <div className={styles.quiet}>{about}</div>}
        <div className={`${styles.quiet} ${styles.narrow}`}>{typeOf(row, t)}</div>
        <div className={styles.narrow}>{status}</div>
      </td>
      <td className={styles.wide}>{typeOf(row, t)}</td>
      <td className={styles.number}>
        <span className={styles.amount} data-in={row.amount > 0 || undefined}>
          {row.amount > 0 && '+'}
          <MoneyAmount amountMinor={row.amount} currency={row.currency} />
        </span>
        <div className={`${styles.quiet} ${styles.narrow}`}>= {after}</div>
      </td>
      <td className={`${styles.number} ${styles.wide}`}>{after}</td>
      <td className={styles.wide}>{status}</td>
    </tr>
  )
}

/** Status of the payment that a movement books, and its papers. A plan that a payment buys shows neither. */
function PaymentState({ projectId, row }: { readonly projectId: number; readonly row: MoneyFlowRow }) {
  const { t } = useTranslation('billing-history')
  const { type, payment_id, payment_status } = row
  if (payment_id === null || payment_status === null || (type !== 'payment' && type !== 'payment_cancel')) return null
  return (
    <div className={styles.state}>
      {type === 'payment' && (
        <Badge tone={payment_status === 'success' ? 'ok' : 'neutral'}>{t(`status.${payment_status}`)}</Badge>
      )}
      <HistoryPapers projectId={projectId} paymentId={payment_id} />
    </div>
  )
}

interface Props {
  readonly projectId: number
  readonly paymentId: number
}

/** Button that opens the papers of a payment. Their addresses hold tickets that expire, so they load on demand. */
function HistoryPapers(props: Props) {
  const { t } = useTranslation('billing-history')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t('paper.show')}
      </Button>
      {isOpen && (
        <Dialog title={t('paper.title')} onClose={() => setOpen(false)}>
          <PaperList {...props} />
        </Dialog>
      )}
    </>
  )
}

function PaperList({ projectId, paymentId }: Props) {
  const { t } = useTranslation('billing-history')
  const list = useQuery({
    ...q(papers.list, { project_id: projectId, payment_id: paymentId }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <QueryPart query={list} failed={t('paper.failed')} skeleton={<Skeleton height={72} />}>
      {({ results }) =>
        results.length === 0 ? (
          <p>{t('paper.none')}</p>
        ) : (
          <RowList label={t('paper.title')}>
            {results.map(({ paper_id, kind, number, url, pdf_url }) => (
              <Row
                key={paper_id}
                title={
                  <a href={addressOf(url)} target="_blank" rel="noreferrer">
                    {t(`paper.${kind}`, { number })}
                  </a>
                }
                actions={
                  <a href={addressOf(pdf_url)} target="_blank" rel="noreferrer">
                    PDF
                  </a>
                }
              />
            ))}
          </RowList>
        )
      }
    </QueryPart>
  )
}

const addressOf = (path: string): string => new URL(path, apiRuntime().baseUrl || location.origin).href
