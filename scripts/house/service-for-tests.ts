// Global set-up of the service tests.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/open.ts'
import { schemasVariable } from '#server/testing/databases.ts'
import { ensureService } from './build.ts'

/**
 * Builds the service before its tests, because some run it as a program. Chooses the names of schemas on PostgreSQL.
 * @returns the cleanup after the tests
 * @throws when the build fails
 */
export async function setup(): Promise<() => Promise<void>> {
  if ((await ensureService()) !== 0) throw new Error('The service could not be built')
  const prefix = (process.env[schemasVariable] ??= `test_${randomUUID().slice(0, 8)}`)
  return () => dropSchemas(prefix)
}

/** Drops the schemas of this run: tests keep migrated ones for each other. */
async function dropSchemas(prefix: string): Promise<void> {
  const url = process.env['DATABASE_URL']
  if (!url) return
  const { db, close } = await openDatabase({ url, poolMax: 1 })
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where starts_with(nspname, ${prefix})`.execute(db)
  for (const { name } of rows) await sql`drop schema ${sql.id(name)} cascade`.execute(db)
  await close()
}
