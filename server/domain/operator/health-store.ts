// SQL about the database itself.
import { sql } from 'kysely'
import { isSqlite } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'

/** Returns the size of the database in bytes, and its newest migration. */
export async function readDatabaseFacts(db: ReadDb): Promise<{ readonly size: number; readonly schema: string }> {
  const size = isSqlite(db)
    ? sql<Facts>`select page_count * page_size as size from pragma_page_count(), pragma_page_size()`
    : sql<Facts>`select pg_database_size(current_database()) as size`
  const newest = sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`
  const [{ rows: sizes }, { rows: names }] = [await size.execute(db), await newest.execute(db)]
  return { size: Number(sizes[0]?.size ?? 0), schema: names[0]?.name ?? '' }
}

interface Facts {
  readonly size: number | string
}
