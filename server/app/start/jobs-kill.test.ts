// Jobs in processes that are killed with SIGKILL and stopped beyond their leases. Seconds in `npm test`, a minute at night.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { payments } from '#contract/areas/billing/payments.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import type { Services } from '#server/core/context.ts'
import { createJobRunner, type JobKind } from '#server/core/jobs.ts'
import { listTroubledJobs, scheduleJob, scheduleJobs } from '#server/db/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { cutLine, cutWhile } from '#server/testing/cut-line.ts'
import { emptyDatabaseUrl, migratedDatabase } from '#server/testing/databases.ts'
import { eventually } from '#server/testing/eventually.ts'
import { leaseMs, poison } from '#server/testing/job-replica.ts'
import { type Customer, KilledService } from '#server/testing/pay/killed-service.ts'
import { StripeDouble } from '#server/testing/pay/stripe-double.ts'
import { roundsOf } from '#server/testing/rounds.ts'

const isFile = !process.env['DATABASE_URL']
/** Time in which processes are killed, milliseconds. */
const storm = 1_000 * roundsOf({ usual: 3, nightly: 60 })
/** Life of a process after its start, milliseconds. */
const lifeMs = 700

/** Starts a provider that counts the calls by key. */
async function provider() {
  const calls = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let key = ''
    for await (const chunk of request) key += String(chunk)
    calls.set(key, (calls.get(key) ?? 0) + 1)
    await wait(Math.random() * 60)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const program = 'server/testing/job-replica.ts'

/**
 * Keeps a replica running, and kills or stops it again and again.
 * @returns `calm`, which ends the faults, and `end`, which ends the replica
 */
function stormyReplica(url: string, address: string) {
  let [kills, stops] = [0, 0]
  let [isStormy, isOver] = [true, false]
  let child: ChildProcess
  const live = async () => {
    while (!isOver) {
      child = spawn(process.execPath, [program, url, address], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const gone = once(child, 'exit')
      const isReady = await Promise.race([child.stdout ? once(child.stdout, 'data') : gone, gone]).then(() => true)
      while (isReady && isStormy && child.exitCode === null && child.signalCode === null) {
        await Promise.race([wait(lifeMs * (0.5 + Math.random())), gone])
        if (!isStormy) break
        if (isFile || Math.random() < 0.6) {
          kills += child.kill('SIGKILL') ? 1 : 0
          await gone
        } else {
          child.kill('SIGSTOP')
          await wait(leaseMs * 1.6)
          stops += child.kill('SIGCONT') ? 1 : 0
        }
      }
      await gone
    }
  }
  const ended = live()
  return {
    kills: () => kills,
    calm: () => ((isStormy = false), { kills, stops }),
    end: () => {
      isOver = true
      child.kill('SIGKILL')
      return ended
    },
  }
}

test('loses and doubles no effect of jobs while processes are killed and stopped, and parks poison', async () => {
  const { url, drop } = await emptyDatabaseUrl()
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-jobs-'))
  const source = url === '' ? join(folder, 'relaydeck.db') : url
  const database = await openDatabase(url === '' ? { file: source } : { url, poolMax: 2 })
  const { db } = database
  await migrate(database)
  const { calls, address } = await provider()
  await transaction(db, (trx) =>
    scheduleJobs(
      trx,
      poison.map((kind) => ({ kind, key: 'poison' })),
    ),
  )
  // A file has one service.
  const replicas = Array.from({ length: isFile ? 1 : 2 }, () => stormyReplica(source, address))
  const keys: string[] = []
  const isDone = async () => {
    const left = await db.selectFrom('jobs').select('due').where('kind', 'like', 'test.%').execute()
    return left.length === poison.length && left.every(({ due }) => due === null)
  }
  try {
    // A busy machine may start the replicas after the storm.
    const isQuiet = () => replicas.every(({ kills }) => kills() === 0)
    for (const end = performance.now() + storm; performance.now() < end || isQuiet(); await wait(50)) {
      const fresh = Array.from({ length: 4 }, (_, at) => `job ${keys.length + at}`)
      await transaction(db, (trx) =>
        scheduleJobs(
          trx,
          fresh.map((key) => ({ kind: 'test.work', key })),
        ),
      )
      keys.push(...fresh)
    }
    const faults = replicas.map(({ calm }) => calm())
    const sum = (of: 'kills' | 'stops') => faults.reduce((total, one) => total + one[of], 0)
    expect(sum('kills')).toBeGreaterThanOrEqual(Math.max(1, storm / 6_000))
    if (!isFile && storm > 30_000) expect(sum('stops')).toBeGreaterThan(5)
    await eventually(isDone)
    const effects = await db.selectFrom('write_probes').select('filler').execute()
    expect(effects.map(({ filler }) => filler).toSorted()).toEqual(keys.toSorted())
    expect(new Set(calls.keys())).toEqual(new Set(keys))
    const parked = await listTroubledJobs(db, 10)
    expect(parked.map(({ kind, isParked }) => [kind, isParked])).toEqual(poison.map((kind) => [kind, true]))
  } finally {
    await Promise.all(replicas.map(({ end }) => end()))
    await database.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('sends each refund once while the built service is killed', async () => {
  const service = await KilledService.start('stripe', 3, await freePort())
  onTestFinished(() => service.close())
  const { double } = service.provider
  const amount = 1_000_000
  const accounts: { readonly customer: Customer; readonly payment_id: number }[] = []
  for (const customer of service.customers) {
    const payment_id = await service.create(customer, { amount })
    await service.payOn(await service.open(payment_id, customer))
    await service.settled(payment_id, customer)
    accounts.push({ customer, payment_id })
  }
  // The service is killed during calls, too.
  if (double instanceof StripeDouble) double.onCall = () => wait(Math.random() * 100)
  let accepted = 0
  for (const end = performance.now() + storm; performance.now() < end;) {
    let isUp = true
    const requests = accounts.map(async ({ customer, payment_id }) => {
      const input = { payment_id, amount: 100, reason: 'Asked by e-mail' }
      while (isUp) {
        await service.api(operatorPayments.refund, input, customer.token)
        accepted++
      }
    })
    const ended = Promise.allSettled(requests)
    await wait(lifeMs)
    isUp = false
    await service.restartAfter(600_001)
    await ended
  }
  const refunded = async ({ customer: { projectId, token }, payment_id }: (typeof accounts)[number]) =>
    (await service.api(payments.get, { project_id: projectId, payId: payment_id }, token)).refunded
  await eventually(async () => {
    await service.age(600_001)
    let sum = 0
    for (const account of accounts) sum += await refunded(account)
    return sum >= 100 * accepted && sum === 100 * service.provider.counts().refunds
  })
  expect(accepted).toBeGreaterThan(storm / 5_000)
  for (const account of accounts) account.customer.paid += amount - (await refunded(account))
  expect(await service.brokenBooks()).toEqual([])
})

test.skipIf(isFile)('runs each job while the server ends the connection of signals again and again', async () => {
  const { database, drop } = await migratedDatabase()
  const { line, cut } = await cutLine(database.db)
  const seen: string[] = []
  const kind: JobKind = {
    kind: 'test.work',
    leaseMs: 60_000,
    atOnce: 50,
    backoff: { firstMs: 1_000, mostMs: 1_000 },
    parkAfter: 'never',
    run: async (_, { key }) => (seen.push(key), 'done'),
  }
  const services = { db: database.db, log: pino({ level: 'silent' }) } as unknown as Services
  const runner = createJobRunner({ services, signals: line, kinds: [kind] })
  line.open(() => undefined)
  runner.start()
  const keys = Array.from({ length: 60 }, (_, at) => `${at}`)
  const cuts = await cutWhile(cut, async () => {
    for (const key of keys) {
      await transaction(database.db, (trx) => scheduleJob(trx, kind, key))
      await wait(40)
    }
  })
  expect(cuts).toBeGreaterThan(3)
  await eventually(() => seen.length >= keys.length)
  expect(seen.toSorted()).toEqual(keys.toSorted())
  await runner.stop()
  await line.close()
  await database.close()
  await drop()
})
