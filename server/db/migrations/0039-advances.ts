// Advances of the Russian receipts law (54-FZ), their closing receipts, and the advances that refunds and disputes took.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('advances')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('payment_id', 'integer', (col) => col.notNull().references('payments.id'))
    .addColumn('left_minor', 'bigint', (col) => col.notNull())
    .addUniqueConstraint('advances_payment', ['project_id', 'payment_id'])
    .execute()
  await db.schema
    .createTable('closing_receipts')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('key', 'text', (col) => col.notNull().unique())
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('payment_id', 'integer', (col) => col.notNull().references('payments.id'))
    .addColumn('transaction_id', 'integer', (col) => col.notNull().references('ledger_transactions.id'))
    .addColumn('amount_minor', 'bigint', (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('reason', 'text')
    .addColumn('body', 'text')
    .addColumn('provider_id', 'text', (col) => col.unique())
    .addColumn('tries', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_begin', 'text')
    .addColumn('date_lease', 'text')
    .addUniqueConstraint('closing_receipts_purchase', ['transaction_id', 'payment_id'])
    .execute()
  await db.schema.createIndex('closing_receipts_state').on('closing_receipts').columns(['state', 'id']).execute()
  await db.schema.createIndex('closing_receipts_payment').on('closing_receipts').column('payment_id').execute()
  await db.schema.alterTable('payment_refunds').addColumn('advance_minor', 'bigint').execute()
  for (const table of ['payment_refunds', 'payment_disputes'])
    await db.schema.alterTable(table).addColumn('advance_parts', 'text').execute()
}
