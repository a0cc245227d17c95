// The verdict table: real streams with one fault each, from ffmpeg to the verdict, its events and its end.
import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { faultNeeds, makeStream, type TableFault, tableFaults, withinS } from '#server/relay/testing/faulty-streams.ts'
import { type Encoder, folder, hasPrograms, publish } from '#server/relay/testing/programs.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const dir = folder()
let world: World
let node: RelayNode
const encoders: Encoder[] = []

/** Faults without a channel that needs more. */
const commonFaults = tableFaults.filter((fault) => !faultNeeds[fault])

const files = new Map<string, string>()
beforeAll(async () => {
  if (!hasPrograms) return
  for (const name of ['clean', ...commonFaults] as const) files.set(name, await makeStream(dir, name))
}, 120_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

beforeEach(async () => {
  world = await testApp({})
  // Streams need the real clock.
  world.clock.set(new Date())
  const { url } = await world.app.listen()
  node = await nodeOf(world, url, { ffmpeg: 'ffmpeg', graceMs: 60_000 })
})
afterEach(async () => {
  await Promise.all(encoders.splice(0).map((encoder) => encoder.stop('SIGKILL')))
  await node.close()
  await world.close()
})

async function send(person: Person, name: string): Promise<Encoder> {
  const project = { project_id: person.projectId, interval: 1 } as const
  await eventually(async () => (await world.api(rtmpServers.list, project, { as: person })).body.results.length > 0)
  const { key } = (await world.api(streamKeys.get, project, { as: person })).body
  const encoder = publish(files.get(name) ?? '', `rtmp://127.0.0.1:${node.port}/live/${key}`, ['-stream_loop', '-1'])
  encoders.push(encoder)
  return encoder
}

const statusOf = async (as: Person) => (await world.api(broadcasts.status, { project_id: as.projectId }, { as })).body
const reasonsOf = async (as: Person) => {
  const status = await statusOf(as)
  return status.kind === 'live' ? (status.verdict?.reasons ?? []).map(({ kind }) => kind) : []
}

async function eventsOf(as: Person) {
  const status = await statusOf(as)
  if (status.kind !== 'live') throw new Error('Nothing is on air')
  const of = { project_id: as.projectId, broadcast_id: status.broadcast_id }
  const { results } = (await world.api(broadcasts.events, { ...of, sort_by_date: 'asc' }, { as })).body
  return results.map(({ kind, reason, created_at }) => ({ kind, reason, at: Date.parse(created_at) / 1000 }))
}

async function live(name: string) {
  const person = await world.user(name)
  const encoder = await send(person, name)
  await eventually(async () => (await statusOf(person)).kind === 'live')
  return { person, encoder }
}

/** A stream with a fault, and then a clean one with the same key. */
async function row(fault: TableFault) {
  const { person, encoder } = await live(fault)
  await eventually(async () => (await reasonsOf(person)).includes(fault))
  const shown = await reasonsOf(person)
  await encoder.stop('SIGKILL')
  await send(person, 'clean')
  await eventually(async () => (await statusOf(person)).kind === 'live' && (await reasonsOf(person)).length === 0)
  return { fault, shown, events: await eventsOf(person) }
}

test.skipIf(!hasPrograms)(
  'warns once of each fault in time, withdraws it in time, and leaves a clean stream alone',
  async () => {
    const { person: clean } = await live('clean')
    const rows = await Promise.all(commonFaults.map(row))
    for (const { fault, shown, events } of rows) {
      const when = (kind: string) => events.find((event) => event.kind === kind)?.at ?? Number.NaN
      const ofFaults = events.filter(({ kind }) => kind.startsWith('fault'))
      expect({ fault, shown, events: ofFaults.map(({ kind, reason }) => `${kind} ${reason}`) }).toEqual({
        fault,
        shown: [fault],
        events: [`fault ${fault}`, `fault-over ${fault}`],
      })
      expect(when('fault') - when('began'), fault).toBeLessThan(withinS)
      expect(when('fault-over') - when('source-back'), fault).toBeLessThan(withinS)
    }
    expect((await eventsOf(clean)).map(({ kind }) => kind)).toEqual(['began'])
  },
  120_000,
)
