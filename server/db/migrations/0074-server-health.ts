// Limit of transcoders that operators set, time of the last drill of a backup, and outcome of the last e-mails.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('transcoders_max', 'integer').execute()
  for (const column of ['date_drill', 'date_mail', 'date_mail_failure', 'mail_failure'])
    await db.schema.alterTable('installation').addColumn(column, 'text').execute()
}
