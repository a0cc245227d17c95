// Prepared queries: the same answers as any other query, and never one that was true a moment ago.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { emptyDatabase } from '#server/testing/test-app.ts'
import { migrate } from './migrate.ts'
import type { Db, Trx } from './open.ts'
import { type Param, prepared } from './prepared.ts'
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

const count = prepared((db, param: Param<{ kind: string }>) =>
  db.selectFrom('audit').select('id').where('kind', '=', param('kind')),
)
const insert = prepared((db, param: Param<{ kind: string; now: string }>) =>
  db
    .insertInto('audit')
    .values({ kind: param('kind'), date_create: param('now'), user_id: null, family_id: null, details: null }),
)
const now = '2026-01-01T00:00:00.000Z'
const seen = async (db: Db | Trx, kind: string) => (await count(db, { kind })).length

test('what was just written is read, also in the same turn of the event loop', async () => {
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

test('inside a transaction its own writes are read, outside nobody reads them before it ends', async () => {
  const db = await open()
  const kind = randomUUID()
  await transaction(db, async (trx) => {
    await insert(trx, { kind, now })
    expect(await seen(trx, kind)).toBe(1)
    expect(await seen(db, kind)).toBe(0)
  })
  expect(await seen(db, kind)).toBe(1)
})

test('a transaction that fails leaves nothing', async () => {
  const db = await open()
  const kind = randomUUID()
  const work = transaction(db, async (trx) => {
    await insert(trx, { kind, now })
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(await seen(db, kind)).toBe(0)
})
