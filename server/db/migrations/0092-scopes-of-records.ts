// Scopes of an access token of an app, which may be fewer than those of its grant; null: those of the grant.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('app_records').addColumn('scopes', 'text').execute()
}
