// Recordings, from the switch to the file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { history } from '#contract/areas/projects/history.ts'
import type { RelayNode } from '#server/relay/node.ts'
import type { Encoder } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { encoderOf, nodeOf, recordingWorld, stopOnAir } from '#server/app/testing/relay-node.ts'
import { until } from '#server/relay/testing/rig.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Person, World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let node: RelayNode
let url: string
let encoder: Encoder | undefined

beforeEach(async () => {
  ;({ world, ann, url, node } = await recordingWorld({ RECORD_LIMIT: '1' }))
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
  return eventually(async () => {
    const { body } = await world.api(broadcasts.list, { project_id: ann.projectId }, { as: ann })
    return body.results[0]?.id
  })
}

const listOf = async (broadcast_id: number) =>
  (await world.api(recordings.list, { project_id: ann.projectId, broadcast_id }, { as: ann })).body.results

const first = (broadcastId: number, state: string) =>
  eventually(async () => {
    const [one] = await listOf(broadcastId)
    return one?.state === state ? one : null
  })

/** A file that was recorded and is done. */
async function recorded() {
  await record(true)
  await world.api(streamKeys.setWait, { project_id: ann.projectId, wait_minutes: 0 }, { as: ann })
  const id = await onAir()
  await first(id, 'recording')
  // Everything that it sent has arrived when the connection closes.
  encoder?.send(...stream(1000, 1))
  encoder?.end()
  const one = await first(id, 'ready')
  return { id, one, disk: readFileSync(join(world.dataDir, 'recordings', one.file)) }
}

test('a broadcast is recorded when that is wanted, and its events say so', async () => {
  const { id, one } = await recorded()
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

test('lists the recordings of all broadcasts of a project, newest first, by pages', async () => {
  const { id, one } = await recorded()
  const { db } = world.app
  const older = { project_id: ann.projectId, broadcast_id: null, node: 'gone', state: 'ready', reason: null } as const
  const about = { bytes: 5, duration_ms: 0, date_create: '2026-01-01T00:00:00.000Z' }
  await db
    .insertInto('recordings')
    .values({ ...older, ...about, name: 'b', file: 'b.mp4' })
    .execute()
  const all = { project_id: ann.projectId }
  const { body } = await world.api(recordings.list, all, { as: ann })
  expect(body.results.map(({ broadcast_id, file }) => [broadcast_id, file])).toEqual([
    [null, 'b.mp4'],
    [id, one.file],
  ])
  const page = (await world.api(recordings.list, { ...all, limit: 1, offset: 1 }, { as: ann })).body
  expect([page.total, page.results.map(({ id: of }) => of)]).toEqual([2, [one.id]])
  const bob = await world.user('Bob')
  expect((await world.api(recordings.list, all, { as: bob })).status).toBe(403)
  expect((await world.api(recordings.list, { project_id: bob.projectId }, { as: bob })).body.results).toEqual([])
})

const input = (id: number) => ({ project_id: ann.projectId, id })
const fetched = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url + path, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('a file is fetched from the disk of its node by a ticket, whole and in parts', async () => {
  const { id, one, disk } = await recorded()
  const viewer = await world.user('Viewer')
  await world.join(viewer, ann.projectId, 0)
  const { body } = await world.api(recordings.download, input(one.id), { as: viewer })
  expect(body).toMatchObject({ size: disk.length, name: expect.stringMatching(`^broadcast-${id}-20.*\\.flv$`) })
  expect(body.url).not.toContain(viewer.accessToken)
  const whole = await fetched(body.url)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/x-flv'])
  expect(whole.headers.get('content-disposition')).toBe(`attachment; filename="${body.name}"`)
  expect(whole.bytes.equals(disk)).toBe(true)
  const etag = whole.headers.get('etag') ?? ''
  const part = await fetched(body.url, { range: 'bytes=100-199', 'if-range': etag })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${disk.length}`])
  expect(part.bytes.equals(disk.subarray(100, 200))).toBe(true)
  expect((await fetched(body.url, { range: 'bytes=-10' })).bytes.equals(disk.subarray(-10))).toBe(true)
  expect((await fetched(body.url, { range: 'bytes=100-', 'if-range': '"other"' })).bytes.length).toBe(disk.length)
  expect((await fetched(body.url, { range: `bytes=${disk.length}-` })).status).toBe(416)
  const head = await fetch(url + body.url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(disk.length)])
})

test('no ticket, another one, an old one, a session that has ended: nothing', async () => {
  const { one } = await recorded()
  const { body } = await world.api(recordings.download, input(one.id), { as: ann })
  expect((await fetched(body.url.replace(/\?.*/, ''))).status).toBe(401)
  expect((await fetched(body.url.replace(`/${one.id}/`, `/${one.id + 1}/`))).status).toBe(401)
  expect((await fetched(body.url.replace(/.{3}$/, 'AAA'))).status).toBe(401)
  const bob = await world.user('Bob')
  expect((await world.api(recordings.download, input(one.id), { as: bob })).status).toBe(403)
  expect(
    (await world.api(recordings.download, { ...input(one.id), project_id: bob.projectId }, { as: bob })).status,
  ).toBe(403)
  expect((await fetched(body.url)).status).toBe(200)
  const later = await world.signIn(ann)
  const own = (await world.api(recordings.download, input(one.id), { as: later })).body.url
  await world.api(auth.logout, { refresh: later.refreshToken })
  expect((await fetched(own)).status).toBe(401)
  world.clock.advance(3_600_001)
  expect((await fetched(body.url)).status).toBe(401)
})

test('refuses a removed file, and a file of an unreachable node', async () => {
  const { one } = await recorded()
  const { body } = await world.api(recordings.download, input(one.id), { as: ann })
  writeFileSync(join(world.dataDir, 'recordings', one.file), 'something else')
  expect((await fetched(body.url)).status).toBe(404)
  await node.close()
  await until(() => !world.services.relay.has('here'))
  const { error } = await world.api(recordings.download, input(one.id), { as: ann })
  expect(error?.name).toBe('ServerAway')
  expect((await fetched(body.url)).status).toBe(404)
})

test('deletes a recording from list, storage and disk, and records the user', async () => {
  const { id, one } = await recorded()
  const limits = async () => (await world.api(recordings.limits, { project_id: ann.projectId }, { as: ann })).body
  const rows = async () => (await world.api(broadcasts.list, { project_id: ann.projectId }, { as: ann })).body.results
  expect(await limits()).toMatchObject({ video_limit: 1_000_000_000, video_current: one.size })
  expect((await rows())[0]?.recordings).toBe(1)
  const viewer = await world.user('Viewer')
  await world.join(viewer, ann.projectId, 0)
  expect((await world.api(recordings.remove, input(one.id), { as: viewer })).status).toBe(403)
  expect((await world.api(recordings.remove, input(one.id), { as: ann })).body.success).toBe(true)
  expect(await listOf(id)).toEqual([])
  expect((await rows())[0]?.recordings).toBe(0)
  expect((await limits()).video_current).toBe(0)
  await until(() => readdirSync(join(world.dataDir, 'recordings', String(ann.projectId))).length === 0)
  const { body } = await world.api(
    history.list,
    { project_id: ann.projectId, action: 'recording_removed' },
    { as: ann },
  )
  expect(body.results).toMatchObject([{ user_id: ann.id, details: { broadcast_id: id } }])
  expect((await world.api(recordings.remove, input(one.id), { as: ann })).status).toBe(403)
  await rowsLeft(0)
})

test('what is written cannot be deleted; a node that was away takes the file away when it comes', async () => {
  await record(true)
  const id = await onAir()
  const running = await first(id, 'recording')
  expect((await world.api(recordings.remove, input(running.id), { as: ann })).error?.name).toBe('RecordingBusy')
  expect((await world.api(recordings.download, input(running.id), { as: ann })).error?.name).toBe('RecordingNotReady')
  await stopOnAir(world, ann)
  const { file } = await first(id, 'ready')
  await node.close()
  await until(() => !world.services.relay.has('here'))
  await world.api(recordings.remove, input(running.id), { as: ann })
  const path = join(world.dataDir, 'recordings')
  expect(readdirSync(join(path, String(ann.projectId)))).toEqual([file.split('/')[1]])
  node = await nodeOf(world, url, { recordings: path })
  await until(() => readdirSync(join(path, String(ann.projectId))).length === 0)
  await rowsLeft(0)
})

/** Waits until the service has handled the reports of the node. */
const rowsLeft = (count: number) =>
  eventually(async () => (await world.app.db.selectFrom('recordings').select('id').execute()).length === count)

test('it is switched on and off in the middle of a broadcast', async () => {
  const id = await onAir()
  expect(await listOf(id)).toEqual([])
  await record(true)
  await first(id, 'recording')
  await record(false)
  await first(id, 'ready')
})
