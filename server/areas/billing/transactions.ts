// Transactions of a project's money over HTTP.
import { transactions } from '#contract/areas/billing/transactions.ts'
import { moneyFlows } from '#contract/entities/money.ts'
import { implement } from '#server/core/implement.ts'
import { listTransactions } from '#server/domain/money/movements-store.ts'
import { purposeOf, filterOf } from './money-flow.ts'

export const transactionRoutes = implement(transactions, {
  list: async ({ limit, offset, code, ...wanted }, { db }) => {
    const { rows, total } = await listTransactions(db, filterOf(wanted, code), { limit, offset })
    const results = rows.map((row) => {
      const sum = Number(row.sum)
      const name = row.type
      return {
        id: row.id,
        user_id: row.user_id,
        payout_id: row.payout_id,
        type: sum < 0 ? ('out' as const) : ('in' as const),
        sum: String(sum),
        description: purposeOf(row.details).title ?? '',
        code: { id: moneyFlows.indexOf(name) + 1, name },
        referral_id: row.referral_id,
        date: row.date_create,
        paymentId: row.payment_id,
        payoutId: row.payout_id,
      }
    })
    return { total, limit, offset, results }
  },
})
