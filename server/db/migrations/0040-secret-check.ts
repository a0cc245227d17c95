// Check value of the secret of the installation.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('secret_check', 'text').execute()
}
