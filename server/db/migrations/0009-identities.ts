// Social logins, and networks of sessions.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('provider', 'text', (col) => col.notNull())
    .addColumn('subject', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('photo', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('identities_subject', ['provider', 'subject'])
    .addUniqueConstraint('identities_user', ['user_id', 'provider'])
    .execute()
  await db.schema.alterTable('refresh_tokens').addColumn('address', 'text').execute()
}
