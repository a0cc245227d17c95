// Check of the ledger: the entries of each transaction sum to zero, and balances are the sums of their entries.
import { sql } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db } from '#server/db/open.ts'

/** Result of a check. Lists hold at most 20 ids. */
export interface LedgerCheck {
  readonly transactions: number
  readonly unbalanced: readonly number[]
  readonly wallets: number
  readonly differing: readonly number[]
}

const shownMax = 20

/** Reads the whole ledger. */
export async function getLedgerCheck(db: Db): Promise<LedgerCheck> {
  const { rows: unbalanced } = await sql<{ id: number }>`
    select transaction_id as id from ledger_entries
    group by transaction_id having sum(amount_minor) <> 0
    order by transaction_id limit ${shownMax}`.execute(db)
  const { rows: differing } = await sql<{ id: number }>`
    select wallets.project_id as id from wallets
    left join ledger_entries on ledger_entries.project_id = wallets.project_id
    group by wallets.project_id, bonus_minor, payment_minor, profit_minor, debt_minor
    having bonus_minor <> coalesce(sum(case when account = 'bonus' then amount_minor end), 0)
      or payment_minor <> coalesce(sum(case when account = 'payment' then amount_minor end), 0)
      or profit_minor <> coalesce(sum(case when account = 'profit' then amount_minor end), 0)
      or debt_minor <> -coalesce(sum(case when account = 'receivable' then amount_minor end), 0)
    order by wallets.project_id limit ${shownMax}`.execute(db)
  const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => Number(id))
  return {
    transactions: await countRows(db.selectFrom('ledger_transactions')),
    unbalanced: ids(unbalanced),
    wallets: await countRows(db.selectFrom('wallets')),
    differing: ids(differing),
  }
}
