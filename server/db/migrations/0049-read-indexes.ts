// Indexes of reads that would otherwise grow with the installation, or with the length of a broadcast.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.createIndex('broadcasts_end').on('broadcasts').column('date_end').execute()
  await schema
    .createIndex('broadcast_targets_ready')
    .on('broadcast_targets')
    .column('broadcast_id')
    .where(sql.ref('state'), '=', sql.lit('ready'))
    .execute()
  await schema
    .createIndex('broadcast_events_repeated')
    .on('broadcast_events')
    .columns(['broadcast_id', 'id'])
    .where(sql.ref('count'), '>', sql.lit(1))
    .execute()
  await schema.dropIndex('notifications_project').execute()
  await schema
    .createIndex('notifications_project_user')
    .on('notifications')
    .columns(['project_id', 'user_id', 'in_cabinet', 'date_show'])
    .execute()
  await schema.createIndex('payments_status').on('payments').columns(['status', 'id']).execute()
  await schema.createIndex('payments_provider').on('payments').columns(['provider', 'id']).execute()
  await schema
    .createIndex('payments_review')
    .on('payments')
    .column('id')
    .where(sql.ref('review'), 'is not', null)
    .execute()
}
