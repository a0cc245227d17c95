// PostgreSQL with more concurrent calls than connections in the pool.
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { eventually } from '#server/testing/eventually.ts'
import { requestOf } from '#server/testing/request.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { faultOf, NoConnectionError } from './faults.ts'
import type { Trx } from './open.ts'
import { createKeyedQueue } from './transaction.ts'

const isPostgres = Boolean(process.env['DATABASE_URL'])
let world: World
afterEach(() => world.close())

const me = (person: Person) => world.app.inject(requestOf(auth.me, {}, { as: person }))

/** Runs a step in a transaction that stays open. @returns the function that ends it, and the transaction */
async function held(step: (trx: Trx) => Promise<unknown>) {
  const begun = Promise.withResolvers<Trx>()
  const end = Promise.withResolvers<void>()
  const done = world.app.db.transaction().execute(async (trx) => {
    await step(trx)
    begun.resolve(trx)
    await end.promise
  })
  const trx = await begun.promise
  return { trx, done, end: () => (end.resolve(), done) }
}

test.skipIf(!isPostgres)('answers 503 with Retry-After without a free connection', async () => {
  world = await testApp({}, { poolMax: 2, connectMs: 500 })
  const ann = await world.user()
  const both = await Promise.all([held((trx) => sql`select 1`.execute(trx)), held((trx) => sql`select 1`.execute(trx))])
  const refused = await me(ann)
  expect([refused.statusCode, refused.json().error.name]).toEqual([503, 'DatabaseUnavailable'])
  expect(refused.headers['retry-after']).toBe('5')
  for (const { end } of both) await end()
  expect((await me(ann)).statusCode).toBe(200)
})

test.skipIf(!isPostgres)('leaves connections for other projects while changes of one project wait', async () => {
  world = await testApp({}, { poolMax: 4, connectMs: 10_000 })
  const [ann, bob] = [await world.user('Ann'), await world.user('Bob')]
  const wallet = await held((trx) => lockWallet(trx, ann.projectId))
  const buy = { project_id: ann.projectId, plan_restream_id: 2, period: 'month' } as const
  const bought = Array.from({ length: 12 }, () => world.app.inject(requestOf(restream.buy, buy, { as: ann })))
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_locks where not granted`.execute(wallet.trx)
    return (rows[0]?.n ?? 0) > 0
  }
  await eventually(waiting)
  for (let i = 0; i < 10; i++) expect((await me(bob)).statusCode).toBe(200)
  await wallet.end()
  const answers = await Promise.all(bought)
  expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
})

test.skipIf(!isPostgres)('fails only the transaction whose connection breaks', async () => {
  world = await testApp({}, { poolMax: 2 })
  const ann = await world.user()
  const broken = await held((trx) => sql`select 1`.execute(trx))
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(broken.trx)
  await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0}::int)`.execute(world.app.db)
  expect(faultOf(await broken.end().catch((error: unknown) => error))).toBe('unavailable')
  expect((await me(ann)).statusCode).toBe(200)
})

test('fails work that times out in a keyed queue, and runs the rest in order', async () => {
  world = await testApp()
  const queue = createKeyedQueue(50)
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const running = queue.add('a', () => first.promise.then(() => void order.push('first')))
  await expect(queue.add('a', async () => void order.push('late'))).rejects.toThrow(NoConnectionError)
  const third = queue.add('a', async () => void order.push('third'))
  await queue.add('b', async () => void order.push('other'))
  first.resolve()
  await Promise.all([running, third])
  expect(order).toEqual(['other', 'first', 'third'])
})
