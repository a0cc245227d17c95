import { useTranslation } from 'react-i18next'
import type { MoneyFlowRow } from '#contract/areas/billing/money-flow.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import styles from './history.module.css'
import { personOf, typeOf } from './history-file.ts'

/** Movements, newest first, each with the balance after it. Narrow windows show five facts in three columns. */
export function HistoryTable({ rows }: { readonly rows: readonly MoneyFlowRow[] }) {
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
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <MovementRow key={row.money_flow_id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function MovementRow({ row }: { readonly row: MoneyFlowRow }) {
  const { t } = useTranslation(['billing-history', 'billing'])
  const after = <MoneyAmount amountMinor={row.balance + row.amount} currency={row.currency} />
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
    </tr>
  )
}
