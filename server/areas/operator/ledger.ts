// Movements of money of all projects over HTTP.
import { ledger } from '#contract/areas/operator/ledger.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { titleOf } from '#server/domain/billing/receipts/store.ts'
import { listMovements } from '#server/domain/operator/ledger-store.ts'

export const operatorLedgerRoutes = implement(ledger, {
  list: async ({ view, target_project_id: projectId, date_from, date_to, limit, offset }, { db }) => {
    const filter = { view, projectId, from: utc(date_from), to: utc(date_to) }
    const { rows, total, sums } = await listMovements(db, filter, { limit, offset })
    const results = rows.map(({ details, amount, ...row }) => ({
      ...row,
      title: titleOf(details),
      amount: Number(amount),
    }))
    return { total, limit, offset, results, sums }
  },
})

const utc = (date: string | undefined): string | undefined => date && iso(new Date(date))
