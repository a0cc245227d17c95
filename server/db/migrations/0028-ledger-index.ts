// Index of the transactions of a project, newest first: without it a page sorts all of them.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('ledger_transactions_project')
    .on('ledger_transactions')
    .columns(['project_id', 'id'])
    .execute()
}
