// Stats keys of projects: programs read the figures of the encoder with them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table stats_keys (project_id integer primary key references projects (id), key_sealed text not null,
    key_hash text not null unique, date_rotate text not null)`.execute(db)
}
