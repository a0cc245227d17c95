// New broadcasts at platforms, and the channels that want them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table project_channels add column healing integer not null default 0`.execute(db)
  await sql`create table platform_heals (
    broadcast_id integer not null references broadcasts (id) on delete cascade, channel_id integer not null,
    state text not null, start_at text not null, title text not null, video_id text, claim_until bigint not null,
    constraint platform_heals_key primary key (broadcast_id, channel_id))`.execute(db)
  await sql`create index platform_heals_open on platform_heals (broadcast_id) where state in ('inserting', 'inserted', 'bound')`.execute(
    db,
  )
}
