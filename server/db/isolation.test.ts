// Isolation of queries and transactions, on both databases.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { emptyDatabase } from '#server/testing/databases.ts'
import { migrate } from './migrate.ts'
import type { Db, Trx } from './types.ts'
import { transaction } from './transaction.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function open(): Promise<Db> {
  const { database, drop } = await emptyDatabase()
  ends.push(
    () => database.close(),
    () => drop(),
  )
  await migrate(database)
  return database.db
}

const insert = (db: Db | Trx, { kind, now }: { kind: string; now: string }) =>
  db.insertInto('audit').values({ kind, date_create: now, user_id: null, family_id: null, details: null }).execute()
const now = '2026-01-01T00:00:00.000Z'
const seen = async (db: Db | Trx, kind: string) =>
  (await db.selectFrom('audit').select('id').where('kind', '=', kind).execute()).length

test('reads committed writes', async () => {
  const db = await open()
  const kind = randomUUID()
  expect(await seen(db, kind)).toBe(0)
  await insert(db, { kind, now })
  expect(await seen(db, kind)).toBe(1)
  await transaction(db, (trx) => insert(trx, { kind, now }))
  expect(await seen(db, kind)).toBe(2)
  await db.deleteFrom('audit').where('kind', '=', kind).execute()
  expect(await seen(db, kind)).toBe(0)
})

test('reads own writes in a transaction, and hides rolled back writes from concurrent queries', async () => {
  const db = await open()
  const kind = randomUUID()
  let beside: Promise<number> | undefined
  const work = transaction(db, async (trx) => {
    await insert(trx, { kind, now })
    expect(await seen(trx, kind)).toBe(1)
    // Not awaited here: on SQLite it waits for the transaction.
    beside = seen(db, kind)
    await new Promise(setImmediate)
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(await beside).toBe(0)
  expect(await seen(db, kind)).toBe(0)
})
