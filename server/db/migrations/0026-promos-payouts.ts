// Links of ledger transactions, promo codes, payouts and referral earnings.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const column of ['user_id', 'payment_id', 'payout_id', 'referral_id']) {
    await db.schema.alterTable('ledger_transactions').addColumn(column, 'integer').execute()
  }
  await createPromos(db, dialect)
  await createPayouts(db, dialect)
  await createReferrals(db, dialect)
}

async function createPromos(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('promo_codes')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('code', 'text', (col) => col.notNull().unique())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('amount_rub', 'bigint')
    .addColumn('amount_usd', 'bigint')
    .addColumn('plan', 'text')
    .addColumn('uses_max', 'integer')
    .addColumn('uses', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('date_until', 'text')
    .addColumn('date_end', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addCheckConstraint('promo_codes_uses', sql`uses_max is null or uses <= uses_max`)
    .execute()
  await db.schema
    .createTable('promo_uses')
    .addColumn('promo_id', 'integer', (col) => col.notNull().references('promo_codes.id'))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('user_id', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('promo_uses_key', ['promo_id', 'project_id'])
    .execute()
}

async function createPayouts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('payout_ways')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('title', 'text', (col) => col.notNull())
    .addColumn('description', 'text', (col) => col.notNull())
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('commission', 'integer', (col) => col.notNull())
    .addColumn('commission_type', 'text', (col) => col.notNull())
    .addColumn('min_minor', 'bigint', (col) => col.notNull())
    .addColumn('max_minor', 'bigint', (col) => col.notNull())
    .addColumn('active', 'integer', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('payouts')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('user_id', 'integer', (col) => col.notNull())
    .addColumn('way_id', 'integer', (col) => col.notNull().references('payout_ways.id'))
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('amount_minor', 'bigint', (col) => col.notNull())
    .addColumn('commission_minor', 'bigint', (col) => col.notNull())
    .addColumn('wallet_sealed', 'text', (col) => col.notNull())
    .addColumn('wallet_masked', 'text', (col) => col.notNull())
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('reference', 'text')
    .addColumn('reason', 'text')
    .addColumn('idempotency_key', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text')
    .addUniqueConstraint('payouts_key', ['project_id', 'idempotency_key'])
    .execute()
  await db.schema.createIndex('payouts_status').on('payouts').columns(['status', 'id']).execute()
}

async function createReferrals(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('referral_settings')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('percent_hundredths', 'integer', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('referral_earnings')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('payment_id', 'integer', (col) => col.notNull().unique())
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('percent_hundredths', 'integer', (col) => col.notNull())
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('booked_minor', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('date_due', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('referral_earnings_project').on('referral_earnings').column('project_id').execute()
  await db.schema.createIndex('users_invited_by').on('users').column('invited_by').execute()
}
