// Pictures of third-party apps: names in `files`.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table apps add column picture text').execute(db)
}
