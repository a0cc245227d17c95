// Sessions handed over to another app: parent session, and time of the sign-in.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('token_families')
    .addColumn('date_auth', 'text', (col) => col.notNull().defaultTo(''))
    .execute()
  await sql`update token_families set date_auth = date_create`.execute(db)
  await db.schema.alterTable('token_families').addColumn('parent_id', 'integer').execute()
  await db.schema.createIndex('token_families_parent').on('token_families').column('parent_id').execute()
  await db.schema.alterTable('codes').addColumn('family_id', 'integer').execute()
}
