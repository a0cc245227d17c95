// Debt before each entry of the account `receivable`, which the history of a project shows as a balance below zero.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update ledger_entries set balance_before_minor = (
      select coalesce(sum(earlier.amount_minor), 0) from ledger_entries earlier
      where earlier.project_id = ledger_entries.project_id and earlier.account = 'receivable'
        and earlier.id < ledger_entries.id
    ) where account = 'receivable'`.execute(db)
}
