// Catalogue of restream plans with its first rows, and bought terms.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'
import { firstRestreamPlans } from '#server/db/first-plans.ts'

export async function up(db: Kysely<TariffTables>, dialect: Dialect): Promise<void> {
  await createCatalogue(db)
  await createTerms(db, dialect)
  await db.insertInto('restream_plans').values(firstRestreamPlans).execute()
  await db.insertInto('plan_discounts').values({ line: 'restream', month_percent: 0, year_percent: 10 }).execute()
}

async function createCatalogue(db: Kysely<TariffTables>): Promise<void> {
  await db.schema
    .createTable('restream_plans')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('title', 'text', (col) => col.notNull())
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('active', 'integer', (col) => col.notNull())
    .addColumn('listed', 'integer', (col) => col.notNull())
    .addColumn('sort_index', 'integer', (col) => col.notNull())
    .addColumn('channel_min', 'integer')
    .addColumn('channel_max', 'integer', (col) => col.notNull())
    .addColumn('channel_step', 'integer')
    .addColumn('bitrate_min', 'integer')
    .addColumn('bitrate_max', 'integer', (col) => col.notNull())
    .addColumn('bitrate_step', 'integer')
    .addColumn('price_rub', 'bigint')
    .addColumn('price_usd', 'bigint')
    .addColumn('channel_step_price_rub', 'bigint', (col) => col.notNull())
    .addColumn('channel_step_price_usd', 'bigint', (col) => col.notNull())
    .addColumn('bitrate_step_price_rub', 'bigint', (col) => col.notNull())
    .addColumn('bitrate_step_price_usd', 'bigint', (col) => col.notNull())
    .addColumn('resolution', 'text', (col) => col.notNull())
    .addColumn('fps', 'text', (col) => col.notNull())
    .addColumn('create_projects', 'integer', (col) => col.notNull())
    .addColumn('chat', 'integer', (col) => col.notNull())
    .addColumn('video', 'integer', (col) => col.notNull())
    .addColumn('video_storage', 'integer')
    .addColumn('change_subject', 'integer', (col) => col.notNull())
    .addColumn('background_chat', 'integer', (col) => col.notNull())
    .addColumn('dedicated_server', 'integer', (col) => col.notNull())
    .addColumn('personal_manager', 'integer')
    .addColumn('pull_link_limit', 'integer', (col) => col.notNull())
    .addColumn('support_custom_channel', 'integer', (col) => col.notNull())
    .addColumn('custom_video', 'integer', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('restream_plan_projects')
    .addColumn('plan_id', 'integer', (col) => col.notNull().references('restream_plans.id'))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addPrimaryKeyConstraint('restream_plan_projects_key', ['plan_id', 'project_id'])
    .execute()

  await db.schema
    .createTable('plan_discounts')
    .addColumn('line', 'text', (col) => col.primaryKey())
    .addColumn('month_percent', 'integer', (col) => col.notNull())
    .addColumn('year_percent', 'integer', (col) => col.notNull())
    .execute()
}

async function createTerms(db: Kysely<TariffTables>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('restream_terms')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('plan_id', 'integer', (col) => col.notNull().references('restream_plans.id'))
    .addColumn('channel_max', 'integer', (col) => col.notNull())
    .addColumn('bitrate_max', 'integer', (col) => col.notNull())
    .addColumn('support_custom_channel', 'integer', (col) => col.notNull())
    .addColumn('custom_video', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_start', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text', (col) => col.notNull())
    .addColumn('date_cancel', 'text')
    .addColumn('date_rolled', 'text')
    .execute()
  await db.schema
    .createIndex('restream_terms_project')
    .on('restream_terms')
    .columns(['project_id', 'date_start'])
    .execute()
  // For the job of plan ends: ended terms that were not handled yet.
  await db.schema
    .createIndex('restream_terms_due')
    .on('restream_terms')
    .column('date_end')
    .where(sql.ref('date_rolled'), 'is', null)
    .where(sql.ref('date_cancel'), 'is', null)
    .execute()

  await db.schema
    .createTable('restream_periods')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('uuid', 'text', (col) => col.notNull().unique())
    .addColumn('term_id', 'integer', (col) => col.notNull().references('restream_terms.id'))
    .addColumn('transaction_id', 'integer', (col) => col.notNull().references('ledger_transactions.id'))
    .addColumn('period', 'text', (col) => col.notNull())
    .addColumn('date_start', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text', (col) => col.notNull())
    .addColumn('bonus_minor', 'bigint', (col) => col.notNull())
    .addColumn('payment_minor', 'bigint', (col) => col.notNull())
    .addColumn('profit_minor', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('restream_periods_term').on('restream_periods').column('term_id').execute()
}
