// Granted scopes of platform accounts, and used units of platform quotas.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('platform_accounts').addColumn('scopes', 'text').execute()
  await db.schema
    .createTable('platform_quota')
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('units', 'integer', (column) => column.notNull())
    .addColumn('gone', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('platform_quota_key', ['platform', 'day', 'purpose'])
    .execute()
}
