// Movements of a project's money over HTTP, one row per balance.
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { balanceTypeNames, chosenOf, moneyFlows } from '#contract/entities/money.ts'
import { implement } from '#server/core/implement.ts'
import { listEntries } from '#server/domain/money/movements-store.ts'
import { utc } from '#server/core/clock.ts'

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

interface Wanted {
  readonly project_id: number
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
}

/** Reads the filter of a list. @param flows names or places of movement types, separated by commas */
export const filterOf = ({ project_id, date_from, date_to }: Wanted, flows: string | undefined) => ({
  projectId: project_id,
  from: date_from && utc(date_from),
  to: date_to && utc(date_to),
  flows: chosenOf(flows, moneyFlows) ?? [],
})

/** Reads the purpose of a movement from its JSON: a title, and for a plan its period (the published `details`). */
export function purposeOf(text: string | null) {
  if (text === null) return { title: null, details: null }
  const { title, date_end } = JSON.parse(text) as { readonly title: string; readonly date_end?: string }
  return { title, details: date_end === undefined ? null : { title, date_end } }
}
