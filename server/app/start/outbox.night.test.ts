// Outbox in real processes on one PostgreSQL: kill -9 at each step of a message, and another replica continues.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { history } from '#contract/areas/notifications/history.ts'
import { transaction } from '#server/db/transaction.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { upsertSetting } from '#server/domain/notifications/addresses-store.ts'
import { eventually } from '#server/testing/eventually.ts'
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { laneKind } from '#server/domain/notifications/deliveries-store.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { replicaProcess, type ServiceProcess } from '#server/testing/process.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

// A file database has one service.
const isFile = !process.env['DATABASE_URL']

/** A gate that the mail server waits at while it is shut. */
function gate() {
  let open: () => void = () => undefined
  let [passing, arrived] = [Promise.resolve(), 0]
  return {
    shut: () => void (passing = new Promise((resolve) => (open = resolve))),
    open: () => open(),
    arrived: () => arrived,
    pass: async () => {
      arrived++
      await passing
    },
  }
}

let world: World
let ann: Person
let mail: Awaited<ReturnType<typeof mailServer>>
let env: Readonly<Record<string, string>> & { readonly SECRET: string }
let processes: ServiceProcess[]
let greeting: ReturnType<typeof gate>
let answering: ReturnType<typeof gate>
/** Runs between an accepted message and its response. */
let onMail: () => Promise<void>

beforeEach(async () => {
  ;[greeting, answering, processes] = [gate(), gate(), []]
  onMail = () => Promise.resolve()
  const answer = async () => {
    await onMail()
    await answering.pass()
  }
  mail = await mailServer({ greet: greeting.pass, answer })
  const PUBLIC_URL = 'https://live.example.com'
  env = { ...mail.settings, PUBLIC_URL, SECRET: 'a secret of these tests, which is long' }
  world = await testApp(env)
  // Facts of a minute ago have settled.
  world.clock.set(new Date(Date.now() - 60_000))
  ann = await world.user()
  const cell = { user_id: ann.id, project_id: ann.projectId, channel: 'email', category: 'stream' } as const
  await upsertSetting(world.app.db, cell, true)
})
afterEach(async () => {
  for (const one of processes) one.close()
  greeting.open()
  answering.open()
  await world.close()
  await mail.close()
})

async function startReplica() {
  const service = await replicaProcess(world, env)
  processes.push(service)
  return (await service.start()).child
}

/** Writes a fact of each category. */
const writeFacts = () =>
  transaction(world.app.db, async (trx) => {
    const { projectId } = ann
    const params = { payment_id: 1, amount: '1.00 USD' }
    await notify(world.services, trx, { kind: 'payment_failed', projectId, ref: 1, params })
    await notify(world.services, trx, { kind: 'broadcast_started', projectId, ref: 1, params: { broadcast_id: 1 } })
  })

/** Locks the table of deliveries. @returns a function that releases it */
async function lockDeliveries(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const done = world.app.db.transaction().execute(async (trx) => {
    await sql`lock table notification_deliveries in access exclusive mode`.execute(trx)
    held.resolve()
    await release.promise
  })
  await held.promise
  return () => {
    release.resolve()
    return done
  }
}

/** Returns the jobs of e-mail that a replica runs. */
const leased = () =>
  world.app.db
    .selectFrom('jobs')
    .where('kind', '=', laneKind('email').kind)
    .where('token', '<>', 0)
    .selectAll()
    .execute()
const waitsForLock = async () =>
  (
    await sql`select 1 from pg_locks where not granted and relation = 'notification_deliveries'::regclass`.execute(
      world.app.db,
    )
  ).rows.length > 0
const stateOfMail = async () =>
  (
    await world.app.db
      .selectFrom('notification_deliveries')
      .innerJoin('notification_lanes', 'notification_lanes.id', 'notification_deliveries.lane_id')
      .select('notification_deliveries.state')
      .where('notification_lanes.channel', '=', 'email')
      .execute()
  ).map(({ state }) => state)

type Child = Awaited<ReturnType<typeof startReplica>>
/** Each point: brings a replica there and kills it. The facts are written, and the replica is stopped. */
const points: Readonly<Record<string, (child: Child) => Promise<void>>> = {
  'before the lease': async (child) => void child.kill('SIGKILL'),
  'after the lease': async (child) => {
    const release = await lockDeliveries()
    child.kill('SIGCONT')
    await eventually(async () => (await leased()).length > 0 && (await waitsForLock()))
    child.kill('SIGKILL')
    await release()
  },
  'before the call': async (child) => {
    greeting.shut()
    child.kill('SIGCONT')
    await eventually(() => greeting.arrived() > 0)
    expect(await stateOfMail()).toEqual(['sending', 'sending'])
    child.kill('SIGKILL')
    greeting.open()
  },
  'after the call': async (child) => {
    answering.shut()
    child.kill('SIGCONT')
    await eventually(() => answering.arrived() > 0)
    child.kill('SIGKILL')
    answering.open()
  },
  'before the release': async (child) => {
    let release: (() => Promise<void>) | undefined
    onMail = async () => void (release ??= await lockDeliveries())
    child.kill('SIGCONT')
    await eventually(() => release !== undefined)
    await eventually(waitsForLock)
    child.kill('SIGKILL')
    await release?.()
  },
}

/** E-mails about each fact: those that were accepted before the kill, and the one of the other replica. */
const expected: Readonly<Record<string, readonly [important: number, stream: number]>> = {
  'before the lease': [1, 1],
  'after the lease': [1, 1],
  // The outcome is unknown to the other replica.
  'before the call': [1, 0],
  'after the call': [2, 1],
  'before the release': [2, 1],
}

test.skipIf(isFile).for(Object.keys(points))(
  'scenario 15: kill -9 %s, and another replica continues',
  async (point) => {
    const child = await startReplica()
    child.kill('SIGSTOP')
    await writeFacts()
    await points[point]?.(child)
    await startReplica()
    // The lease of the killed replica ends after a minute.
    await ageJobs(world.app.db, 60_000)
    await eventually(async () => (await stateOfMail()).every((state) => state === 'sent' || state === 'unknown'))
    const sent = mail.got.map(({ text }) => ({ id: /^Message-ID: (.*)$/im.exec(text)?.[1], text: writtenOf(text) }))
    const about = (words: string) => sent.filter(({ text }) => text.includes(words)).map(({ id }) => id)
    const [payment, started] = [about('payment of 1.00 USD'), about('broadcast has started')]
    expect([payment.length, started.length]).toEqual(expected[point])
    expect(new Set(payment).size).toBe(1)
    world.clock.set(new Date())
    const { body } = await world.api(history.list, {}, { as: ann })
    expect(body.results.map(({ name }) => name).toSorted()).toEqual(['broadcast_started', 'payment_failed'])
  },
)
