// Webhooks that apps register for their project: the session of the app; null: an owner added it.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table webhooks add column family_id integer references token_families (id) on delete cascade',
    'create index webhooks_family on webhooks (family_id)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
