// Movements of a project's money over HTTP, one row per balance.
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { balanceTypeNames, chosenOf } from '#contract/entities/money.ts'
import { implement } from '#server/core/implement.ts'
import { listEntries } from '#server/domain/money/movements-store.ts'
import { purposeOf, filterOf } from './money-present.ts'

export const moneyFlowRoutes = implement(moneyFlow, {
  list: async ({ limit, offset, type, balance_type, ...wanted }, { db }) => {
    const accounts = (chosenOf(balance_type, balanceTypeNames) ?? []).map((name) =>
      name === 'debt' ? 'receivable' : name,
    )
    const filter = { ...filterOf(wanted, type), accounts }
    const { rows, total } = await listEntries(db, filter, { limit, offset })
    const results = rows.map((row) => ({
      money_flow_id: row.id,
      amount: row.amount_minor,
      currency: row.currency,
      date: row.date_create,
      type: row.type,
      balance: row.balance_before_minor ?? 0,
      ...purposeOf(row.details),
      balance_type: balanceTypeIds[row.account] ?? 4,
      transaction_id: row.transaction_id,
      payment_id: row.payment_id,
      payment_status: row.payment_status,
      payout_id: row.payout_id,
      user_:
        row.user_id === null ? null : { user_id: row.user_id, name: row.first_name ?? '', fename: row.last_name ?? '' },
    }))
    return { total, limit, offset, results }
  },
})

const balanceTypeIds: Readonly<Record<string, 1 | 2 | 3 | 4>> = { bonus: 1, payment: 2, profit: 3, receivable: 4 }
