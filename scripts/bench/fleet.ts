// `npm run bench -- fleet [projects]`: one service on PostgreSQL with simulated relay nodes, whose projects are all on air with
// three channels each. Measures processor time, statements, and the time from a switched channel to its node.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import type { Sample } from '#contract/relay/events.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { readConfig } from '#server/app/settings.ts'
import { createApp } from '#server/app/create-app.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { sealSecret } from '#server/domain/channels/secrets.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { untouched } from '#server/domain/broadcasts/live-facts.ts'
import { serviceProcess } from '#server/testing/process.ts'
import { setRegistrationBonus } from '#server/testing/test-app.ts'
import { signUp } from '#e2e/fixtures/person.ts'
import { startPostgres } from '#scripts/house/postgres.ts'
import { atEnd, endOnSignals, say } from '#scripts/house/step.ts'
import { cpuOf } from './load.ts'
import { median, type Row, table } from './table.ts'

const projects = Number(process.argv[2] ?? 2_000)
const nodes = 15
const channelsEach = 3
const seconds = 60
const goals = { processor: 0.6, statements: 0.05, switchMs: 200, idleStatements: 1 }

interface Project {
  readonly id: number
  readonly key: string
  readonly channelIds: readonly number[]
}

/** A simulated node: its connection, and the projects that it has on air. */
interface SimulatedNode {
  readonly send: (message: FromNode) => void
  readonly onAir: Map<number, { readonly epoch: number; readonly channelIds: readonly number[] }>
  /** Called with each new desired state. */
  onDesired: (projectId: number, ids: readonly number[]) => void
  seq: number
}

endOnSignals()
const postgres = await startPostgres({ shared_preload_libraries: 'pg_stat_statements' })
if (!postgres) throw new Error('PostgreSQL does not run here')
const secret = randomBytes(32).toString('hex')
const env = { DATABASE_URL: postgres.url, SECRET: secret, RELAY_TOKEN: 'a token of the simulated nodes' }
const service = serviceProcess({ ...env, NOTIFICATIONS: 'off' })
const stop = atEnd(async () => {
  service.close()
  await postgres.stop()
})
const { child, url } = await service.start()
const database = await openDatabase({ url: postgres.url, poolMax: 4 })
const { db } = database
await sql`create extension pg_stat_statements`.execute(db)
const pid = child.pid ?? 0

try {
  say(`Making ${projects} projects with ${channelsEach} channels each`)
  await setRegistrationBonus(db)
  // The first sweep and the first run of each periodic job are of the start.
  await wait(10_000)
  const idle = await measure(seconds)
  // Its project is the template of the others.
  await signUp(url)
  const all = await makeProjects(db)
  say('Connecting nodes')
  const fleet = await Promise.all(Array.from({ length: nodes }, (_, at) => connect(`fleet-${at}`)))
  for (const [at, project] of all.entries()) await begin(fleet[at % nodes] as SimulatedNode, project)
  const sending = setInterval(() => fleet.forEach(sendSecond), 1_000)
  const leasing = setInterval(() => fleet.forEach(renew), 5_000)
  await wait(15_000)
  say('Measuring without viewers')
  const quiet = await measure(seconds)
  say('Switching channels')
  const delays = await switchChannels(fleet)
  const busy = await measure(20)
  clearInterval(sending)
  clearInterval(leasing)
  const perSecond = (count: number) => count / projects
  const rows: Row[] = [
    row('idle service: statements a second', idle.statements, goals.idleStatements, 2),
    row(`${projects} live projects: service, cores`, quiet.processor, goals.processor, 3),
    { what: 'PostgreSQL, milliseconds of statements a second', value: quiet.databaseMs.toFixed(1) },
    row('statements a live project-second', perSecond(quiet.statements), goals.statements, 4),
    row('switched channel to node, p95 ms', quantile(delays, 0.95), goals.switchMs, 0),
    { what: 'the same, p50 ms', value: median(delays).toFixed(0), beside: `${delays.length} switches` },
    { what: 'service after the switches, cores', value: busy.processor.toFixed(3) },
  ]
  console.log(`\n${table(rows)}\n`)
  for (const [what, { most }] of Object.entries({ idle, 'without viewers': quiet }))
    console.log(`${what}\n${most.map(({ calls, text }) => `${String(calls).padStart(7)}  ${text}`).join('\n')}`)
  process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0
} finally {
  await database.close()
  await stop()
}
process.exit()

function row(what: string, value: number, max: number, digits: number): Row {
  return { what, value: value.toFixed(digits), goal: `≤ ${max}`, pass: value <= max }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** Measures the service over some seconds. `statements` and `databaseMs`: a second. */
async function measure(duration: number) {
  await sql`select pg_stat_statements_reset()`.execute(db)
  const before = cpuOf(pid) ?? Number.NaN
  await wait(duration * 1_000)
  const spent = (cpuOf(pid) ?? Number.NaN) - before
  const { rows } = await sql<{ text: string; calls: number; ms: number }>`
    select left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as text, calls, total_exec_time as ms
    from pg_stat_statements where toplevel and query not like '%pg_stat_statements%' order by calls desc`.execute(db)
  const sum = (of: (one: { readonly calls: number; readonly ms: number }) => number) =>
    rows.reduce((total, one) => total + of(one), 0) / duration
  return {
    processor: spent / 1_000_000 / duration,
    statements: sum(({ calls }) => Number(calls)),
    databaseMs: sum(({ ms }) => Number(ms)),
    most: rows.slice(0, 20),
  }
}

/** Creates projects of one owner, with keys and channels, in the database of the service. */
async function makeProjects(target: Db): Promise<Project[]> {
  const own = await openDatabase({ url: postgres?.url ?? '', poolMax: 4 })
  const app = await createApp({ config: readConfig({ ...service.env, ...env, RELAY: 'off' } as never), db: own })
  const secretSealed = sealSecret(app.services, { key: 'key', query: '' })
  const made: Project[] = []
  const template = await target.selectFrom('projects').selectAll().executeTakeFirstOrThrow()
  for (let at = 0; at < projects; at++) {
    const { id: _id, ...values } = template
    const { id } = await target
      .insertInto('projects')
      .values({ ...values, external_id: `fleet-${at}` } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await target
      .insertInto('wallets')
      .values({ project_id: id, bonus_minor: 0, payment_minor: 0, profit_minor: 0 })
      .execute()
    const { key } = await readStreamKey(app.services, id)
    const channelIds: number[] = []
    for (let index = 0; index < channelsEach; index++)
      channelIds.push(await makeChannel(target, id, index, secretSealed))
    made.push({ id, key, channelIds })
  }
  await app.close()
  return made
}

async function makeChannel(target: Db, projectId: number, index: number, sealed: string | null): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await target
    .insertInto('channels')
    .values({
      owner_project_id: projectId,
      type: 'rtmp',
      name: `Channel ${index}`,
      name_folded: `channel ${index}`,
      external_id: '',
      channel_url: '',
      address: 'rtmp://ingest.example.com/live',
      secret_sealed: sealed,
      settings: '{}',
      date_create: now,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await target
    .insertInto('project_channels')
    .values({
      project_id: projectId,
      channel_id: id,
      access_type: 4,
      active: 1,
      delay_seconds: 0,
      date_create: now,
    } as never)
    .execute()
  return id
}

async function connect(name: string): Promise<SimulatedNode> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/relay`, {
    headers: { authorization: `Bearer ${env.RELAY_TOKEN}` },
  })
  const node: SimulatedNode = {
    send: (message) => socket.send(JSON.stringify(message)),
    onAir: new Map(),
    onDesired: () => undefined,
    seq: Date.now() * 1_000,
  }
  socket.on('error', (error) => say(String(error)))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as FromService
    if (message.type === 'admitted') {
      const channelIds = message.destinations.map(({ id }) => id)
      node.onAir.set(message.projectId, { epoch: message.epoch ?? 0, channelIds })
      const event = {
        type: 'source-began',
        projectId: message.projectId,
        epoch: message.epoch ?? 0,
        at: Date.now(),
      } as const
      node.send({ type: 'event', seq: ++node.seq, event: { ...event, encoder: 'Bench', address: '192.0.2.1' } })
    }
    if (message.type === 'desired')
      node.onDesired(
        message.projectId,
        message.destinations.map(({ id }) => id),
      )
  })
  await new Promise((resolve) => socket.once('open', resolve))
  node.send({ type: 'hello', version: 3, node: name, projects: [], leases: [] })
  return node
}

async function begin(node: SimulatedNode, { id, key }: Project): Promise<void> {
  node.send({ type: 'admit', request: id, key, app: 'live', encoder: 'Bench', address: '192.0.2.1' })
  while (!node.onAir.has(id)) await wait(2)
}

function sendSecond(node: SimulatedNode): void {
  const at = Date.now()
  const ingest = {
    kbps: 4_000,
    fps: 30,
    gopMs: 2_000,
    videoCodec: 'avc1',
    audioCodec: 'mp4a',
    width: 1920,
    height: 1080,
  }
  const samples: Sample[] = []
  for (const [projectId, { epoch, channelIds }] of node.onAir) {
    const destinations = channelIds.map((id) => ({
      ...untouched,
      id,
      state: 'live' as const,
      since: 1,
      bytes: at % 1e9,
    }))
    samples.push({ projectId, epoch, at, ingest, destinations })
  }
  for (let first = 0; first < samples.length; first += 25)
    node.send({ type: 'samples', seq: ++node.seq, samples: samples.slice(first, first + 25) })
}

function renew(node: SimulatedNode): void {
  const leases = [...node.onAir].map(([projectId, { epoch }]) => ({ projectId, epoch, isSending: true }))
  node.send({ type: 'leases', leases })
}

/** Switches a channel off in one project after the other, directly in the database. @returns delays until its node, ms */
async function switchChannels(fleet: readonly SimulatedNode[]): Promise<number[]> {
  const delays: number[] = []
  for (const node of fleet)
    for (const [projectId, { channelIds }] of [...node.onAir].slice(0, 20)) {
      const reached = new Promise<number>((resolve) => {
        node.onDesired = (id, ids) => {
          if (id === projectId && !ids.includes(channelIds[0] ?? 0)) resolve(performance.now())
        }
      })
      const since = performance.now()
      await db
        .updateTable('project_channels')
        .set({ active: 0 })
        .where('project_id', '=', projectId)
        .where('channel_id', '=', channelIds[0] ?? 0)
        .execute()
      const end = await Promise.race([reached, wait(30_000, Number.NaN)])
      delays.push(Number.isNaN(end) ? 30_000 : end - since)
    }
  return delays
}
