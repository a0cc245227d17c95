// Settings of the installation, operators with the log of their changes, and the plan that includes everything.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'
import { everythingPlan } from '#server/db/first-plans.ts'
import type { InstallationTables } from '#server/db/tables-installation.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'

export async function up(db: Kysely<InstallationTables & TariffTables>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('billing', 'text')
    .addColumn('bonus_rub_minor', 'bigint', (col) => col.notNull())
    .addColumn('bonus_usd_minor', 'bigint', (col) => col.notNull())
    .execute()
  await db.insertInto('installation').values({ id: 1, billing: null, bonus_rub_minor: 0, bonus_usd_minor: 0 }).execute()

  await db.schema
    .createTable('operators')
    .addColumn('user_id', 'integer', (col) => col.primaryKey().references('users.id'))
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await sql`insert into operators (user_id, date_create)
    select id, date_create from users where installation_owner = 1`.execute(db)

  await db.schema
    .createTable('operator_log')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.references('users.id'))
    .addColumn('action', 'text', (col) => col.notNull())
    .addColumn('project_id', 'integer', (col) => col.references('projects.id'))
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('reason', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('operator_log_project').on('operator_log').columns(['project_id', 'id']).execute()

  await db.insertInto('restream_plans').values(everythingPlan).execute()
}
