// Payments: what projects pay, what providers report, saved methods, refunds, disputes, and the debt of a wallet.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('wallets')
    .addColumn('debt_minor', 'bigint', (col) =>
      col
        .notNull()
        .defaultTo(0)
        .check(sql`debt_minor >= 0`),
    )
    .execute()
  await createPayments(db, dialect)
  await createReturns(db, dialect)
  await createProviderState(db, dialect)
}

async function createPayments(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('payment_methods')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('provider', 'text', (col) => col.notNull())
    .addColumn('token_sealed', 'text', (col) => col.notNull())
    .addColumn('token_hash', 'text', (col) => col.notNull())
    .addColumn('title', 'text', (col) => col.notNull())
    .addColumn('expires', 'text')
    .addColumn('is_default', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_remove', 'text')
    .addUniqueConstraint('payment_methods_token', ['project_id', 'provider', 'token_hash'])
    .execute()

  await db.schema
    .createTable('payments')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('uuid', 'text', (col) => col.notNull().unique())
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('user_id', 'integer', (col) => col.references('users.id'))
    .addColumn('provider', 'text', (col) => col.notNull())
    .addColumn('pay_system_id', 'integer', (col) => col.notNull())
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('amount_minor', 'bigint', (col) => col.notNull().check(sql`amount_minor > 0`))
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('plan', 'text')
    .addColumn('period', 'text')
    .addColumn('title', 'text')
    .addColumn('quote_total', 'bigint')
    .addColumn('date_quote', 'text')
    .addColumn('method_id', 'integer', (col) => col.references('payment_methods.id'))
    .addColumn('save', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('reason', 'text')
    .addColumn('review', 'text')
    .addColumn('purchase', 'text')
    .addColumn('pay_id', 'text')
    .addColumn('pay_ref', 'text')
    .addColumn('redirect_sealed', 'text')
    .addColumn('credited_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('fee_minor', 'bigint')
    .addColumn('idempotency_key', 'text')
    .addColumn('request', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_begin', 'text')
    .addColumn('date_end', 'text')
    .addColumn('date_look', 'text')
    .addColumn('date_seen', 'text')
    .addColumn('date_lease', 'text')
    .addColumn('looks', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('hints', 'integer', (col) => col.notNull().defaultTo(0))
    .addUniqueConstraint('payments_key', ['project_id', 'idempotency_key'])
    .addUniqueConstraint('payments_pay', ['provider', 'pay_id'])
    .execute()
  await db.schema.createIndex('payments_project').on('payments').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('payments_look').on('payments').column('date_look').execute()
  await db.schema.createIndex('payments_ref').on('payments').columns(['provider', 'pay_ref']).execute()
}

async function createReturns(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('payment_refunds')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('uuid', 'text', (col) => col.notNull().unique())
    .addColumn('payment_id', 'integer', (col) => col.notNull().references('payments.id'))
    .addColumn('user_id', 'integer', (col) => col.references('users.id'))
    .addColumn('provider_id', 'text')
    .addColumn('requested_minor', 'bigint', (col) => col.notNull())
    .addColumn('taken_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('returned_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('reason', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_lease', 'text')
    .addUniqueConstraint('payment_refunds_provider', ['payment_id', 'provider_id'])
    .execute()

  await db.schema
    .createTable('payment_disputes')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('payment_id', 'integer', (col) => col.notNull().references('payments.id'))
    .addColumn('provider_id', 'text', (col) => col.notNull())
    .addColumn('withdrawn_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('reinstated_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_update', 'text', (col) => col.notNull())
    .addUniqueConstraint('payment_disputes_provider', ['payment_id', 'provider_id'])
    .execute()
}

async function createProviderState(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('payment_events')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('provider', 'text', (col) => col.notNull())
    .addColumn('event_id', 'text', (col) => col.notNull())
    .addColumn('payment_id', 'integer', (col) => col.references('payments.id'))
    .addColumn('body', 'text', (col) => col.notNull())
    .addColumn('times', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('payment_events_event', ['provider', 'event_id'])
    .execute()

  await db.schema
    .createTable('payment_customers')
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('provider', 'text', (col) => col.notNull())
    .addColumn('customer', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('payment_customers_key', ['project_id', 'provider'])
    .execute()

  await db.schema
    .createTable('pay_providers')
    .addColumn('provider', 'text', (col) => col.primaryKey())
    .addColumn('date_event', 'text')
    .addColumn('date_reconciled', 'text')
    .addColumn('date_lease', 'text')
    .addColumn('mismatches', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('unknown_events', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('invoices')
    .addColumn('payment_id', 'integer', (col) => col.primaryKey().references('payments.id'))
    .addColumn('paid_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('withdrawn', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('invoice_refunds')
    .addColumn('key', 'text', (col) => col.primaryKey())
    .addColumn('payment_id', 'integer', (col) => col.notNull().references('payments.id'))
    .addColumn('amount_minor', 'bigint', (col) => col.notNull())
    .execute()
}
