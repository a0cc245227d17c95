// SQL of the overview: counts of what waits for the operator.
import { sql } from 'kysely'
import type { Sum } from '#contract/entities/operator.ts'
import type { ReadDb } from '#server/db/open.ts'
import { sumOf } from './ledger-store.ts'

/** Number of rows, the time of the oldest one, and their amounts by currency. */
export interface Waiting {
  readonly count: number
  readonly oldest: string | null
  readonly sums: readonly Sum[]
}

const count = sql<number>`count(*)`.as('count')

/** Counts the projects that owe money. */
export async function countDebts(db: ReadDb): Promise<Waiting> {
  const rows = await db
    .selectFrom('wallets')
    .innerJoin('projects', 'projects.id', 'wallets.project_id')
    .select(['projects.currency', count])
    .select(({ fn }) => fn.sum<number>('wallets.debt_minor').as('amount'))
    .where('wallets.debt_minor', '>', 0)
    .groupBy('projects.currency')
    .orderBy('projects.currency')
    .execute()
  const sums = rows.map(({ currency, amount }) => sumOf(currency, amount))
  return { count: rows.reduce((all, row) => all + Number(row.count), 0), oldest: null, sums }
}

/** Counts the payouts that wait for the operator. */
export async function countWaitingPayouts(db: ReadDb): Promise<Waiting> {
  const row = await db
    .selectFrom('payouts')
    .select(count)
    .select(({ fn }) => fn.min('date_create').as('oldest'))
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? null, sums: [] }
}

/** Counts the closing receipts that were refused. */
export async function countRefused(db: ReadDb): Promise<Waiting> {
  const row = await db
    .selectFrom('closing_receipts')
    .select(count)
    .select(({ fn }) => fn.min('date_create').as('oldest'))
    .where('state', '=', 'refused')
    .executeTakeFirst()
  return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? null, sums: [] }
}
