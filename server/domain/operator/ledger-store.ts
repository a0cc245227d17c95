// SQL of the movements of money of all projects.
import { sql } from 'kysely'
import type { LedgerView, Sum } from '#contract/entities/operator.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { ReadDb } from '#server/db/open.ts'

interface Paging {
  readonly limit: number
  readonly offset: number
}

/** Time as ISO text in UTC; `to` is exclusive. */
export interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface LedgerFilter extends Span {
  readonly view: LedgerView
  readonly projectId?: number | undefined
}

/** Amount of an entry, as its view has it: money at a provider is a negative entry. */
const amountIn = (view: LedgerView) =>
  view === 'received' ? sql<number>`-entry.amount_minor` : sql<number>`entry.amount_minor`

/** Accounts of a view: those of providers, or the balances and the debt of a project. */
const isIn = (view: LedgerView) =>
  view === 'received'
    ? sql<boolean>`entry.account like 'clearing.%'`
    : sql<boolean>`entry.account in ('bonus', 'payment', 'profit', 'receivable')`

const matching = (db: ReadDb, { view, projectId, from, to }: LedgerFilter) =>
  db
    .selectFrom('ledger_transactions as move')
    .innerJoin('ledger_entries as entry', 'entry.transaction_id', 'move.id')
    .where(isIn(view))
    // Providers are in movements of payments only: the index of types and dates finds them.
    .$if(view === 'received', (query) => query.where('move.type', 'in', ['payment', 'payment_cancel']))
    .$if(projectId !== undefined, (query) => query.where('move.project_id', '=', projectId ?? 0))
    .$if(from !== undefined, (query) => query.where('move.date_create', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('move.date_create', '<', to ?? ''))

/** Returns a page of movements, newest first; how many match, and their sums by currency. */
export async function listMovements(db: ReadDb, filter: LedgerFilter, { limit, offset }: Paging) {
  const rows = await matching(db, filter)
    .innerJoin('projects', 'projects.id', 'move.project_id')
    .select(['move.id', 'move.type', 'move.project_id', 'move.details', 'move.payment_id', 'move.date_create'])
    .select(['projects.name as project_name', 'entry.currency'])
    .select(sql<number>`sum(${amountIn(filter.view)})`.as('amount'))
    .groupBy(['move.id', 'projects.name', 'entry.currency'])
    .orderBy('move.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, ...(await sumMovements(db, filter)) }
}

/** Returns how many movements match, and their sums by currency. */
export async function sumMovements(
  db: ReadDb,
  filter: LedgerFilter,
): Promise<{ readonly total: number; readonly sums: Sum[] }> {
  const rows = await matching(db, filter)
    .select('entry.currency')
    .select(sql<number>`coalesce(sum(${amountIn(filter.view)}), 0)`.as('amount'))
    .select(sql<number>`count(distinct move.id)`.as('total'))
    .groupBy('entry.currency')
    .orderBy('entry.currency')
    .execute()
  return {
    total: rows.reduce((sum, { total }) => sum + Number(total), 0),
    sums: rows.map(({ currency, amount }) => sumOf(currency, amount)),
  }
}

/** PostgreSQL answers sums as text. */
export const sumOf = (currency: Currency, amount: number | string): Sum => ({ currency, amount: Number(amount) })
