// Owners: random orders of claims, renewals and releases of two holders, and the migration that moves leases into one table.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase, migratedDatabase } from '#server/testing/databases.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { up } from './migrations/0050-owners.ts'
import type { Db } from './open.ts'
import { claimOwner, findOwner, lockOwned, releaseOthers, releaseOwner, renewOwners } from './owners.ts'
import { transaction } from './transaction.ts'

const ms = 20_000
const kind = 'air'
const keys = ['7', '8'] as const

interface Step {
  readonly do: 'claim' | 'renew' | 'release' | 'releaseOthers' | 'pass'
  readonly holder: 'one' | 'two'
  readonly key: (typeof keys)[number]
  readonly passes: number
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom('claim', 'claim', 'renew', 'renew', 'release', 'releaseOthers', 'pass'),
    holder: fc.constantFrom('one', 'two'),
    key: fc.constantFrom(...keys),
    passes: fc.constantFrom(5_000, 15_000, 25_000),
  }),
  { maxLength: 30 },
)

/** State of a key by the rules. */
interface Known {
  holder: string
  epoch: number
  leftMs: number
}

/** The table and the rules side by side. */
class Model {
  readonly #db: Db
  readonly #known = new Map<string, Known>()
  /** Epoch under which each holder last claimed a key. */
  readonly #mine = new Map<string, number>()

  constructor(db: Db) {
    this.#db = db
  }

  #epochOf = (holder: string, key: string) => this.#mine.get(`${holder} ${key}`) ?? 0
  #keysOf = (holder: string) => keys.filter((key) => this.#known.get(key)?.holder === holder)

  /** Does a step. @returns results of the table and of the rules */
  async step({ do: act, holder, key, passes }: Step): Promise<readonly [actual: unknown, expected: unknown]> {
    if (act === 'pass') return this.#pass(passes)
    if (act === 'claim') return this.#claim(holder, key)
    if (act === 'renew') return this.#renew(holder)
    if (act === 'release') return this.#release(holder, key)
    return this.#releaseOthers(holder, key)
  }

  /** Holders and epochs in the table, and by the rules. */
  async state(): Promise<readonly [actual: unknown, expected: unknown]> {
    const rows = await Promise.all(keys.map((key) => findOwner(this.#db, kind, key)))
    return [
      rows.map((row) => row && [row.holder, row.epoch]),
      keys.map((key) => this.#known.get(key)).map((row) => row && [row.holder, row.epoch]),
    ]
  }

  async #pass(passes: number) {
    await this.#db
      .updateTable('owners')
      .set((eb) => ({ until: eb('until', '-', passes) }))
      .execute()
    for (const each of this.#known.values()) each.leftMs -= passes
    return [0, 0] as const
  }

  async #claim(holder: string, key: string) {
    const row = this.#known.get(key)
    const isFree = !row || row.holder === holder || row.leftMs <= 0
    const expected = isFree ? (row?.epoch ?? 0) + (row?.holder === holder ? 0 : 1) : null
    const epoch = await claimOwner(this.#db, { kind, key, holder, ms })
    if (epoch !== null) {
      this.#known.set(key, { holder, epoch, leftMs: ms })
      this.#mine.set(`${holder} ${key}`, epoch)
    }
    return [epoch, expected] as const
  }

  async #renew(holder: string) {
    const own = this.#keysOf(holder)
    const renewals = keys.map((key) => ({ key, epoch: this.#epochOf(holder, key), ms }))
    const renewed = await renewOwners(this.#db, kind, holder, renewals)
    for (const key of own) Object.assign(this.#known.get(key) ?? {}, { leftMs: ms })
    return [[...renewed].toSorted(), own] as const
  }

  /** A release frees the key of its epoch only. */
  async #release(holder: string, key: string) {
    const row = this.#known.get(key)
    const epoch = this.#epochOf(holder, key)
    const isReleased = await releaseOwner(this.#db, kind, key, epoch)
    if (row?.epoch === epoch) Object.assign(row, { holder: '', leftMs: 0 })
    return [isReleased, row?.epoch === epoch] as const
  }

  async #releaseOthers(holder: string, key: string) {
    const own = this.#keysOf(holder)
    const locked = await transaction(this.#db, async (trx) => {
      const rows = await lockOwned(trx, kind, holder)
      await releaseOthers(trx, kind, holder, [key])
      return rows
    })
    for (const each of own) if (each !== key) Object.assign(this.#known.get(each) ?? {}, { holder: '', leftMs: 0 })
    return [locked.map((row) => row.key), own] as const
  }
}

test('has one holder of a key, whose epoch rises with each change', async () => {
  const { database, drop } = await migratedDatabase()
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      await database.db.deleteFrom('owners').execute()
      const model = new Model(database.db)
      for (const step of todo) {
        const [actual, expected] = await model.step(step)
        expect(actual).toEqual(expected)
        const [rows, rules] = await model.state()
        expect(rows).toEqual(rules)
      }
    }),
    { numRuns: roundsOf({ usual: 150, onPostgres: 60, nightly: 1_000 }) },
  )
  await database.close()
  await drop()
})

test('one of several concurrent claims succeeds', async () => {
  const { database, drop } = await migratedDatabase()
  const { db } = database
  const claims = ['one', 'two', 'three'].map((holder) => claimOwner(db, { kind: 'chat', key: 'twitch:a', holder, ms }))
  expect((await Promise.all(claims)).filter((epoch) => epoch !== null)).toEqual([1])
  expect(await findOwner(db, 'account', 'twitch:a')).toBeUndefined()
  await database.close()
  await drop()
})

test('migration 0050 moves what is held, with its epochs', async () => {
  const { database, drop } = await emptyDatabase()
  const { db } = database
  for (const statement of [
    'create table air_leases (project_id integer, node text, epoch integer, until bigint, lost_broadcast_id integer)',
    'create table broadcasts (id integer, project_id integer)',
    'create table chat_readers (source text, holder text, epoch integer, until bigint, cursor text)',
    'create table telegram_offsets (id integer, next_update integer, holder text, until bigint)',
    'create table platform_accounts (id integer, date_lease text)',
    `insert into air_leases values (7, 'fra-1', 3, 1790000000000, null), (8, '', 2, 0, null), (9, 'ams-1', 5, 1, 21)`,
    'insert into broadcasts values (20, 7), (21, 9)',
    `insert into chat_readers values ('twitch:a', 'one', 4, 1790000000001, 'c1')`,
    `insert into telegram_offsets values (1, 55, 'loop', 1790000000002)`,
    `insert into platform_accounts values (3, null), (4, '2026-09-21T14:13:20.003Z')`,
  ])
    await sql.raw(statement).execute(db)
  await up(db as never)
  const rows = async (text: string) => (await sql.raw<object>(text).execute(db)).rows
  expect(await rows('select * from owners order by kind, key')).toEqual([
    { kind: 'account', key: '4', holder: 'earlier', epoch: 1, until: 1_790_000_000_003 },
    { kind: 'air', key: '7', holder: 'fra-1', epoch: 3, until: 1_790_000_000_000 },
    { kind: 'air', key: '8', holder: '', epoch: 2, until: 0 },
    { kind: 'air', key: '9', holder: 'ams-1', epoch: 5, until: 1 },
    { kind: 'chat', key: 'twitch:a', holder: 'one', epoch: 4, until: 1_790_000_000_001 },
    { kind: 'telegram', key: '', holder: 'loop', epoch: 1, until: 1_790_000_000_002 },
  ])
  expect(await rows('select * from broadcasts order by id')).toEqual([
    { id: 20, project_id: 7, lost_epoch: null },
    { id: 21, project_id: 9, lost_epoch: 5 },
  ])
  expect(await rows('select * from chat_readers')).toEqual([{ source: 'twitch:a', cursor: 'c1' }])
  expect(await rows('select * from telegram_offsets')).toEqual([{ id: 1, next_update: 55 }])
  expect(await rows('select * from platform_accounts order by id')).toEqual([{ id: 3 }, { id: 4 }])
  await database.close()
  await drop()
})
