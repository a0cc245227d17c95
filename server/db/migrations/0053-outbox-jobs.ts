// Jobs lease lanes and webhooks: removes the columns of their earlier leases, and adds the indexes of the reads of jobs.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.dropIndex('notification_lanes_due').execute()
  await schema.dropIndex('webhook_messages_due').execute()
  for (const column of ['date_due', 'claim', 'date_claim'])
    await schema.alterTable('notification_lanes').dropColumn(column).execute()
  for (const column of ['claim', 'date_claim']) await schema.alterTable('webhook_messages').dropColumn(column).execute()
  await schema
    .createIndex('webhook_messages_next')
    .on('webhook_messages')
    .columns(['webhook_id', 'state', 'date_due'])
    .execute()
  await schema
    .createIndex('notification_deliveries_open')
    .on('notification_deliveries')
    .columns(['channel', 'lane_id'])
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .execute()
}
