// Remote sources of projects: addresses that relay nodes fetch.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table remote_sources (
    project_id integer primary key references projects (id) on delete cascade,
    address text not null, url_sealed text not null, is_on integer not null, node text,
    state text not null, words text not null, date_state text not null)`.execute(db)
  await sql`create index remote_sources_node on remote_sources (node)`.execute(db)
}
