// Terms and periods of all product lines, catalogues of transcoding and storage, renewal switches and expiry notices.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'
import { firstStoragePlans, firstTranscodingPlans } from '#server/db/first-plans.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'

export async function up(db: Kysely<TariffTables>, dialect: Dialect): Promise<void> {
  await createCatalogues(db)
  await createTerms(db, dialect)
  await moveTerms(db, dialect)
  await createRenewals(db)
}

async function createCatalogues(db: Kysely<TariffTables>): Promise<void> {
  await db.schema
    .createTable('transcoding_plans')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('title', 'text', (col) => col.notNull())
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('active', 'integer', (col) => col.notNull())
    .addColumn('listed', 'integer', (col) => col.notNull())
    .addColumn('sort_index', 'integer', (col) => col.notNull())
    .addColumn('resolution', 'text', (col) => col.notNull())
    .addColumn('fps', 'text', (col) => col.notNull())
    .addColumn('weight', 'integer', (col) => col.notNull())
    .addColumn('count_max', 'integer', (col) => col.notNull())
    .addColumn('price_rub', 'bigint')
    .addColumn('price_usd', 'bigint')
    .execute()
  await db.schema
    .createTable('storage_plans')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('title', 'text', (col) => col.notNull())
    .addColumn('active', 'integer', (col) => col.notNull())
    .addColumn('listed', 'integer', (col) => col.notNull())
    .addColumn('sort_index', 'integer', (col) => col.notNull())
    .addColumn('size_min', 'integer', (col) => col.notNull())
    .addColumn('size_max', 'integer', (col) => col.notNull())
    .addColumn('size_step', 'integer', (col) => col.notNull())
    .addColumn('price_rub', 'bigint')
    .addColumn('price_usd', 'bigint')
    .execute()
  await db.insertInto('transcoding_plans').values(firstTranscodingPlans).execute()
  await db.insertInto('storage_plans').values(firstStoragePlans).execute()
  await db
    .insertInto('plan_discounts')
    .values(['transcoding', 'storage'].map((line) => ({ line, month_percent: 0, year_percent: 10 })))
    .execute()
}

async function createTerms(db: Kysely<TariffTables>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('plan_terms')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('line', 'text', (col) => col.notNull())
    // A row of the line's catalogue. The lines have different tables, so that there is no foreign key.
    .addColumn('plan_id', 'integer', (col) => col.notNull())
    .addColumn('allowance', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_start', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text', (col) => col.notNull())
    .addColumn('date_cancel', 'text')
    .addColumn('date_rolled', 'text')
    .execute()
  await db.schema
    .createIndex('plan_terms_project')
    .on('plan_terms')
    .columns(['project_id', 'line', 'date_start'])
    .execute()
  // For the job of plan ends: ended terms that were not handled yet.
  await db.schema
    .createIndex('plan_terms_due')
    .on('plan_terms')
    .column('date_end')
    .where(sql.ref('date_rolled'), 'is', null)
    .where(sql.ref('date_cancel'), 'is', null)
    .execute()
  await db.schema
    .createTable('plan_periods')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('uuid', 'text', (col) => col.notNull().unique())
    .addColumn('term_id', 'integer', (col) => col.notNull().references('plan_terms.id'))
    .addColumn('transaction_id', 'integer', (col) => col.notNull().references('ledger_transactions.id'))
    .addColumn('period', 'text', (col) => col.notNull())
    .addColumn('date_start', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text', (col) => col.notNull())
    .addColumn('bonus_minor', 'bigint', (col) => col.notNull())
    .addColumn('payment_minor', 'bigint', (col) => col.notNull())
    .addColumn('profit_minor', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('plan_periods_term').on('plan_periods').column('term_id').execute()
}

/** Moves the terms and periods of restream plans. Their ids stay. */
async function moveTerms(db: Kysely<TariffTables>, dialect: Dialect): Promise<void> {
  await sql`
    insert into plan_terms (id, project_id, line, plan_id, allowance, date_create, date_start, date_end, date_cancel, date_rolled)
    select id, project_id, 'restream', plan_id,
      '{"channels":' || channel_max || ',"bitrate":' || bitrate_max || ',"customChannels":'
        || case when support_custom_channel = 1 then 'true' else 'false' end
        || ',"customVideo":' || custom_video || '}',
      date_create, date_start, date_end, date_cancel, date_rolled
    from restream_terms order by id
  `.execute(db)
  const columns = sql.raw(
    'id, uuid, term_id, transaction_id, period, date_start, date_end, bonus_minor, payment_minor, profit_minor',
  )
  await sql`insert into plan_periods (${columns}) select ${columns} from restream_periods order by id`.execute(db)
  await db.schema.dropTable('restream_periods').execute()
  await db.schema.dropTable('restream_terms').execute()
  if (dialect === 'sqlite') return
  for (const table of ['plan_terms', 'plan_periods'])
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), coalesce((select max(id) from ${sql.table(table)}), 0) + 1, false)
    `.execute(db)
}

async function createRenewals(db: Kysely<TariffTables>): Promise<void> {
  await db.schema
    .createTable('plan_renewals')
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('line', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('plan_renewals_key', ['project_id', 'line'])
    .execute()
  await db.schema
    .createTable('plan_notices')
    .addColumn('term_id', 'integer', (col) => col.notNull().references('plan_terms.id'))
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('plan_notices_key', ['term_id', 'kind', 'date_end'])
    .execute()
  await db.schema
    .createTable('storage_removals')
    .addColumn('project_id', 'integer', (col) => col.primaryKey().references('projects.id'))
    .addColumn('date_remove', 'text', (col) => col.notNull())
    .execute()
}
