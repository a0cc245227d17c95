// Database: migrations, transactions, common behaviour of both dialects.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { migrateInProcesses } from '#server/testing/migrate-in-processes.ts'
import { migrate, planMigrations, NewerSchemaError, schemaFloor } from './migrate.ts'
import { type Database, openDatabase, type Trx } from './open.ts'
import { isDuplicate, transaction } from './transaction.ts'

const folder = mkdtempSync(join(tmpdir(), 'relaydeck-db-'))
const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (file = ':memory:') => {
  const database = await openDatabase({ file })
  opened.push(database)
  return database
}

const code = (hash: string) => ({
  kind: 'invite' as const,
  hash,
  user_id: null,
  app: null,
  state: null,
  date_create: '2026-01-01T00:00:00.000Z',
  date_expire: '2026-01-02T00:00:00.000Z',
  date_use: null,
})

test('runs migrations once, and none at a second start', async () => {
  const database = await open(join(folder, 'a.db'))
  expect(await migrate(database)).toContain('0001-base')
  expect(await migrate(database)).toEqual([])
  expect(await migrate(await open(join(folder, 'a.db')))).toEqual([])
})

test('migrates once when processes start at the same time', async () => {
  const ran = await migrateInProcesses(join(folder, 'b.db'))
  expect(ran.flat().filter((name) => name === '0001-base')).toHaveLength(1)
})

test('runs on the schema of a newer release that only adds, and refuses one above its floor, as planned', async () => {
  const database = await open()
  expect((await planMigrations(database)).pending).toContain('0001-base')
  await migrate(database)
  expect(await planMigrations(database)).toEqual({ pending: [], unknown: [] })
  const [newer, time] = ['9999-from-the-future', new Date().toISOString()]
  await sql`insert into kysely_migration values (${newer}, ${time})`.execute(database.db)
  expect([await planMigrations(database), await migrate(database)]).toEqual([{ pending: [], unknown: [] }, []])
  await sql`update installation set schema_floor = ${newer}`.execute(database.db)
  expect((await planMigrations(database)).unknown).toEqual([newer])
  await expect(migrate(database)).rejects.toThrow(NewerSchemaError)
  // It lacks a migration of this release: a merged branch, which no release is.
  await sql`update installation set schema_floor = ${schemaFloor()}`.execute(database.db)
  await sql`delete from kysely_migration where name = ${schemaFloor()}`.execute(database.db)
  expect(await planMigrations(database)).toEqual({ pending: [schemaFloor()], unknown: [newer] })
  await expect(migrate(database)).rejects.toThrow(NewerSchemaError)
})

test('leaves no changes after a failed migration', async () => {
  const database = await open()
  await sql`create table write_probes (x text)`.execute(database.db)
  await expect(migrate(database)).rejects.toThrow('write_probes')
  const { rows } = await sql`select name from sqlite_master where name = 'users'`.execute(database.db)
  expect(rows).toEqual([])
  await sql`drop table write_probes`.execute(database.db)
  expect(await migrate(database)).toContain('0001-base')
})

test('runs transactions atomically, without concurrent writes in between', async () => {
  const database = await open()
  await migrate(database)
  const { db } = database
  const count = async (trx: Trx) => (await trx.selectFrom('codes').select('id').forUpdate().execute()).length
  const work = (n: number) =>
    transaction(db, async (trx) => {
      const before = await count(trx)
      await trx
        .insertInto('codes')
        .values(code(`${n}`))
        .execute()
      await new Promise(setImmediate)
      expect(await count(trx)).toBe(before + 1)
      if (n % 2 === 1) throw new Error('odd')
    })
  await Promise.allSettled([1, 2, 3, 4, 5, 6].map(work))
  expect(await db.selectFrom('codes').select('hash').execute()).toHaveLength(3)
})

test('distinguishes a unique key violation from other errors', async () => {
  const database = await open()
  await migrate(database)
  await database.db.insertInto('codes').values(code('x')).execute()
  const error = await database.db
    .insertInto('codes')
    .values(code('x'))
    .execute()
    .catch((caught: unknown) => caught)
  expect(isDuplicate(error)).toBe(true)
  expect(isDuplicate(new Error('other'))).toBe(false)
})
