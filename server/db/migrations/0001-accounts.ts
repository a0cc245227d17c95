// Accounts, their tokens, one-time codes and the audit log.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('external_id', 'text', (col) => col.notNull().unique())
    .addColumn('installation_owner', 'integer', (col) => col.unique())
    .addColumn('email', 'text', (col) => col.unique())
    .addColumn('password_hash', 'text')
    .addColumn('first_name', 'text', (col) => col.notNull())
    .addColumn('last_name', 'text', (col) => col.notNull())
    .addColumn('photo', 'text')
    .addColumn('language', 'text', (col) => col.notNull())
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('country_id', 'integer', (col) => col.notNull())
    .addColumn('ref_id', 'text', (col) => col.notNull().unique())
    .addColumn('invited_by', 'integer', (col) => col.references('users.id'))
    .addColumn('last_project_id', 'integer')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await createTokens(db, dialect)

  await db.schema
    .createTable('codes')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('hash', 'text', (col) => col.notNull().unique())
    .addColumn('user_id', 'integer', (col) => col.references('users.id'))
    .addColumn('app', 'text')
    .addColumn('state', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_expire', 'text', (col) => col.notNull())
    .addColumn('date_use', 'text')
    .execute()

  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('family_id', 'integer')
    .addColumn('details', 'text')
    .execute()
}

async function createTokens(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('token_families')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('app', 'text', (col) => col.notNull())
    .addColumn('fingerprint', 'text')
    .addColumn('user_agent', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_max', 'text', (col) => col.notNull())
    .addColumn('date_revoke', 'text')
    .addColumn('revoke_reason', 'text')
    .execute()
  await db.schema.createIndex('token_families_user').on('token_families').column('user_id').execute()

  await db.schema
    .createTable('refresh_tokens')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('family_id', 'integer', (col) => col.notNull().references('token_families.id').onDelete('cascade'))
    .addColumn('hash', 'text', (col) => col.notNull().unique())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_expire', 'text', (col) => col.notNull())
    .addColumn('date_use', 'text')
    .addColumn('successor_id', 'integer')
    .addColumn('successor_sealed', 'text')
    .execute()
  await db.schema.createIndex('refresh_tokens_family').on('refresh_tokens').column('family_id').execute()
  await db.schema.createIndex('refresh_tokens_expire').on('refresh_tokens').column('date_expire').execute()
}
