// Wallets, and the double-entry ledger that they are the sums of.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('wallets')
    .addColumn('project_id', 'integer', (col) => col.primaryKey().references('projects.id'))
    .addColumn('bonus_minor', 'bigint', (col) => col.notNull().check(sql`bonus_minor >= 0`))
    .addColumn('payment_minor', 'bigint', (col) => col.notNull().check(sql`payment_minor >= 0`))
    .addColumn('profit_minor', 'bigint', (col) => col.notNull().check(sql`profit_minor >= 0`))
    .execute()

  await db.schema
    .createTable('ledger_transactions')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('uuid', 'text', (col) => col.notNull().unique())
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('request', 'text')
    .addColumn('details', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('ledger_transactions_key', ['project_id', 'idempotency_key'])
    .execute()

  await db.schema
    .createTable('ledger_entries')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('transaction_id', 'integer', (col) => col.notNull().references('ledger_transactions.id'))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('account', 'text', (col) => col.notNull())
    .addColumn('amount_minor', 'bigint', (col) => col.notNull())
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('balance_before_minor', 'bigint')
    .execute()
  await db.schema.createIndex('ledger_entries_project').on('ledger_entries').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('ledger_entries_transaction').on('ledger_entries').column('transaction_id').execute()
}
