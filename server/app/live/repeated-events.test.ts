// Events of a channel that fails repeatedly.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { quick } from '#server/relay/testing/encoder.ts'
import type { FaultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { liveStage } from '#server/app/testing/live-stage.ts'
import { encoderOf, nodeOf } from '#server/app/testing/relay-node.ts'

let world: World
let ann: Person
let node: RelayNode
let platform: FaultyPlatform
let url: string

beforeEach(async () => {
  ;({ world, ann, platform, url } = await liveStage())
})
afterEach(async () => {
  await node.close()
  await platform.stop()
  await world.close()
})

const inProject = () => ({ project_id: ann.projectId })
const status = async () => (await world.api(broadcasts.status, inProject(), { as: ann })).body
const restream = async () => ((await status()) as OnAir).restreams?.[0]
const channel = () => newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })

async function onAir() {
  const encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  return encoder
}

test('a platform that closes right after the start is never live, and its attempts are one event with a count', async () => {
  node = await nodeOf(world, url, { timing: { ...quick, steadyMs: 2_000 } })
  platform.fault = 'close-after-start'
  const id = await channel()
  await onAir()
  const seen = new Set<string | undefined>()
  await eventually(async () => {
    const one = await restream()
    seen.add(one?.status)
    return (one?.attempt ?? 0) >= 4
  })
  expect([...seen]).not.toContain('live')
  expect(await restream()).toMatchObject({ channel_id: id, reason: 'closed-early', words: null, date_live: null })
  const which = { ...inProject(), broadcast_id: ((await status()) as OnAir).broadcast_id }
  const { body } = await world.api(broadcasts.events, which, { as: ann })
  const about = body.results.filter((event) => event.channel?.id === id)
  expect(about).toMatchObject([{ kind: 'backoff', reason: 'closed-early', words: null }])
  expect(about[0]?.count).toBeGreaterThanOrEqual(4)
  expect((about[0]?.last_at ?? '') > (about[0]?.created_at ?? '')).toBe(true)
})

test('a channel that falls and comes back again and again has two events with counts', async () => {
  node = await nodeOf(world, url)
  const id = await channel()
  const encoder = await onAir()
  for (let round = 0; round < 4; round++) {
    encoder.send(...stream((round + 1) * 1000, 1))
    await eventually(async () => {
      const { state, reconnects } = (await restream()) ?? {}
      return state === 'live' && reconnects === round
    })
    if (round < 3) platform.cut('end')
  }
  const which = { ...inProject(), broadcast_id: ((await status()) as OnAir).broadcast_id }
  const { body } = await world.api(broadcasts.events, { ...which, sort_by_date: 'asc' }, { as: ann })
  const about = body.results.filter((event) => event.channel?.id === id)
  expect(about.map(({ kind, count }) => [kind, count])).toEqual([
    ['live', 4],
    ['backoff', 3],
  ])
})

test('a channel that was switched off and on is live again in an event of its own', async () => {
  node = await nodeOf(world, url)
  const id = await channel()
  const encoder = await onAir()
  const isState = (state: string) => async () => (await restream())?.state === state
  const set = (on: boolean) => world.api(channels.setStatus, { channel_id: id, status: on }, { as: ann })
  await eventually(isState('live'))
  for (const second of [1, 2]) {
    await set(false)
    await eventually(async () => !(await restream()))
    await set(true)
    encoder.send(...stream(second * 1000, 1))
    await eventually(isState('live'))
  }
  const which = { ...inProject(), broadcast_id: ((await status()) as OnAir).broadcast_id }
  const { body } = await world.api(broadcasts.events, { ...which, sort_by_date: 'asc' }, { as: ann })
  const about = body.results.filter((event) => event.channel?.id === id)
  expect(about.map(({ kind, count }) => [kind, count ?? 1])).toEqual([
    ['live', 1],
    ['stopped', 1],
    ['live', 1],
    ['stopped', 1],
    ['live', 1],
  ])
})
