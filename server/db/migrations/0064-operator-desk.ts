// Time of the last backup that the operator's scripts reported, and the index of the operator's list of money.
import type { Kysely } from 'kysely'
import type { Tables } from '#server/db/tables.ts'

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('date_backup', 'text').execute()
  await db.schema
    .createIndex('ledger_transactions_date')
    .on('ledger_transactions')
    .columns(['type', 'date_create'])
    .execute()
}
