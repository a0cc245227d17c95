// Titles of channels in schedules, what became of them in each run, and schedules that keep the air from an encoder that returns.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedules add column titles text not null default '[]'`.execute(db)
  await sql`alter table schedules add column stays integer not null default 0`.execute(db)
  await sql`alter table schedule_runs add column stays integer not null default 0`.execute(db)
  await sql`create table run_titles (
    run_id integer not null references schedule_runs (id) on delete cascade, channel_id integer not null,
    title text not null, state text not null, reason text, words text,
    constraint run_titles_key primary key (run_id, channel_id))`.execute(db)
}
