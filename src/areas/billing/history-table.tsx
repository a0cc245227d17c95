import { useTranslation } from 'react-i18next'
import type { MoneyFlowRow } from '#contract/areas/billing/money-flow.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { Badge } from '#src/ui/badge.tsx'
import styles from './history.module.css'
import { personOf, typeOf } from './history-file.ts'
import { HistoryPapers } from './history-papers.tsx'

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
