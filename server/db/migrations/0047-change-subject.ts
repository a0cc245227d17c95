// Plans have the titles of several channels as an editable feature. Until now every project had it.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<{ restream_plans: { change_subject: number } }>): Promise<void> {
  await db.updateTable('restream_plans').set({ change_subject: 1 }).execute()
}
