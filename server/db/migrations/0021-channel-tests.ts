// Result of the last test of a channel's address, requested by a user or implied by a broadcast.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('channels').addColumn('test_reason', 'text').execute()
  await db.schema.alterTable('channels').addColumn('date_test', 'text').execute()
  // A channel that was live at its current address has passed.
  await sql`
    update channels set test_reason = 'ok', date_test = live.date
    from (
      select channel_id, max(date_live) as date from restreams where date_live is not null group by channel_id
    ) as live
    left join (
      select channel_id, max(date_create) as date from project_history
      where action = 'project_channel_change' and details like '%"address":%' group by channel_id
    ) as moved on moved.channel_id = live.channel_id
    where channels.id = live.channel_id and (moved.date is null or moved.date < live.date)
  `.execute(db)
}
