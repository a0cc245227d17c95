// What people see of a recording, from the switch to the file.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import type { Encoder } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { encoderOf, nodeOf } from './testing/relay-node.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let node: RelayNode
let encoder: Encoder | undefined

beforeEach(async () => {
  world = await testApp({ RECORD_LIMIT: '1' })
  world.clock.set(new Date())
  ann = await world.user()
  const { url } = await world.app.listen()
  mkdirSync(join(world.dataDir, 'recordings'))
  node = await nodeOf(world, url, { recordings: join(world.dataDir, 'recordings') })
})
afterEach(async () => {
  encoder?.end()
  await node.close()
  await world.close()
})

const record = (isOn: boolean) =>
  world.api(streamKeys.setRecord, { project_id: ann.projectId, record: isOn }, { as: ann })

async function onAir(): Promise<number> {
  encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  let id = 0
  for (; id === 0; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const { body } = await world.api(broadcasts.list, { project_id: ann.projectId }, { as: ann })
    id = body.results[0]?.id ?? 0
  }
  return id
}

const listOf = async (broadcast_id: number) =>
  (await world.api(recordings.list, { project_id: ann.projectId, broadcast_id }, { as: ann })).body.results

async function first(broadcastId: number, state: string) {
  for (let left = 100; left > 0; left--) {
    const [one] = await listOf(broadcastId)
    if (one?.state === state) return one
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`It did not come to ${state}`)
}

test('a broadcast is recorded when that is wanted, and its events say so', async () => {
  await record(true)
  const id = await onAir()
  await first(id, 'recording')
  encoder?.send(...stream(1000, 1))
  await new Promise((resolve) => setTimeout(resolve, 200))
  world.services.relay.stop(ann.projectId, 'It is over')
  const one = await first(id, 'ready')
  expect(one).toMatchObject({ server: 'here', reason: null, duration: 1980 })
  expect(readdirSync(join(world.dataDir, 'recordings', String(ann.projectId)))).toEqual([one.file.split('/')[1]])
  const { body } = await world.api(
    broadcasts.events,
    { project_id: ann.projectId, broadcast_id: id, sort_by_date: 'asc' },
    { as: ann },
  )
  expect(body.results.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['record-began', 'record-ready']))
  const bob = await world.user('Bob')
  const which = { project_id: bob.projectId, broadcast_id: id }
  expect((await world.api(recordings.list, which, { as: bob })).status).toBe(403)
})

test('it is switched on and off in the middle of a broadcast', async () => {
  const id = await onAir()
  expect(await listOf(id)).toEqual([])
  await record(true)
  await first(id, 'recording')
  await record(false)
  await first(id, 'ready')
})
