// Samples with impossible values: they are dropped alone, and acknowledge no sample that is not stored.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { untouched } from '#server/domain/broadcasts/live-facts.ts'
import { until } from '#server/relay/testing/rig.ts'
import { nodeWorld, openNode } from '#server/app/testing/node-socket.ts'
import type { Person, World } from '#server/testing/test-app.ts'

let world: World
let url: string
beforeEach(async () => {
  ;({ world, url } = await nodeWorld())
})
afterEach(() => world.close())

const within = ({ projectId }: Person) => ({ project_id: projectId })
const ingest = { kbps: 4_000, fps: 30, gopMs: 2_000, videoCodec: 'avc1', audioCodec: 'mp4a', width: 1920, height: 1080 }
/** The following second, with values that no stream has. */
const impossible: object[] = [
  { ingest: { ...ingest, kbps: 1e12 } },
  { ingest: { ...ingest, kbps: -1 } },
  { ingest: { ...ingest, fps: 1e300 } },
  { ingest: { ...ingest, fps: null } },
  { at: 1e300 },
  { at: -8e15 },
  { destinations: [{ ...untouched, id: 1, since: 1e300 }] },
]

test.each(impossible)('drops a sample with %j alone', async (strange) => {
  const people = [await world.user('Ann'), await world.user('Ben')]
  const { socket, received, send } = await openNode(url)
  let seq = Date.now() * 1_000
  const tell = (event: object) => send({ type: 'event', seq: ++seq, event })
  const seen = () => until(() => received.some((message) => (message.seq ?? 0) >= seq))

  send({ type: 'hello', version: 3, node: 'one', projects: [], leases: [] })
  for (const [request, as] of people.entries()) {
    const { key } = (await world.api(streamKeys.get, within(as), { as })).body
    send({ type: 'admit', request, key, app: 'live', encoder: 'Test', address: '192.0.2.1' })
  }
  await until(() => received.filter(({ type }) => type === 'admitted').length === 2)
  const at = Math.floor(Date.now() / 1000) * 1000
  const about = people.map(({ projectId }) => ({ projectId, epoch: 1, at }))
  for (const one of about) tell({ ...one, type: 'source-began', encoder: 'Test', address: '192.0.2.1' })
  const sample = (one: object, second: number) => ({
    ...one,
    type: 'sample',
    at: at + second * 1_000,
    ingest,
    destinations: [],
  })
  for (const one of about) tell(sample(one, 1))
  tell(sample(about[1]!, 2))
  tell({ ...sample(about[0]!, 2), ...strange })
  await seen()
  const rows = await world.app.db.selectFrom('broadcast_samples').select('at').orderBy('at').execute()
  expect(rows.map((row) => Number(row.at) - at / 1000)).toEqual([1, 1, 2])
  for (const as of people)
    expect((await world.api(broadcasts.status, within(as), { as })).body).toMatchObject({
      kind: 'live',
      bitrate: 4_000,
    })
  socket.close()
})
