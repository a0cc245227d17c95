// Movements of money as a CSV file.
import type { TFunction } from 'i18next'
import type { MoneyFlowRow } from '#contract/areas/billing/money-flow.ts'
import { toCsv } from '#contract/core/csv.ts'
import { typeNames } from './history-view.ts'

type Words = TFunction<['billing-history', 'billing']>

/** Name of the acting user, or an empty text where the service acts. */
export const personOf = ({ user_ }: Pick<MoneyFlowRow, 'user_'>): string =>
  user_ === null ? '' : [user_.name, user_.fename].filter(Boolean).join(' ')

/** Name of the balance type of a row. */
export const typeOf = ({ balance_type }: Pick<MoneyFlowRow, 'balance_type'>, t: Words): string =>
  t(`billing:balance.${typeNames[balance_type - 1] ?? 'payment'}.name`)

const columns = [
  'date',
  'what',
  'title',
  'person',
  'balance',
  'amount',
  'after',
  'currency',
  'payment',
  'status',
] as const

/** Rows as CSV: amounts as decimal numbers, times in UTC, column names in the language of the page. */
export const fileOf = (rows: readonly MoneyFlowRow[], t: Words): string =>
  toCsv(
    columns.map((name) => t(`column.${name}`)),
    rows.map((row) => [
      row.date,
      t(`flow.${row.type}`),
      row.title ?? '',
      personOf(row),
      typeOf(row, t),
      row.amount / 100,
      (row.balance + row.amount) / 100,
      row.currency?.toUpperCase() ?? '',
      row.payment_id,
      row.payment_status === null ? '' : t(`status.${row.payment_status}`),
    ]),
  )
