// Broadcasts that schedules plan at platforms. A row outlives its schedule until the broadcast is deleted there.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedules add column planned text`.execute(db)
  await sql`create table planned_broadcasts (
    schedule_id integer not null, channel_id integer not null, account_id integer,
    state text not null, start_at text not null, title text not null, details text not null,
    video_id text, page text, refused text, reason text, words text, claim_until bigint not null,
    constraint planned_broadcasts_key primary key (schedule_id, channel_id))`.execute(db)
  await sql`create index planned_broadcasts_channel on planned_broadcasts (channel_id)`.execute(db)
}
