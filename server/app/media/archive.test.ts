// Recordings in S3: from the disk of a node to the bucket, downloads while the node is unreachable, and deletion.
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { encoderOf, recordingWorld } from '#server/app/testing/relay-node.ts'
import { createObjectStore } from '#server/core/object-store.ts'
import { eventually } from '#server/testing/eventually.ts'
import { bucketEnv } from '#server/testing/media-shelf.ts'
import { type S3Double, s3Double } from '#server/testing/s3.ts'
import type { Person, World } from '#server/testing/test-app.ts'

let s3: S3Double
let world: World
let ann: Person
let node: RelayNode
let url: string

beforeEach(async () => {
  s3 = await s3Double()
  ;({ world, ann, node, url } = await recordingWorld({ RECORD_LIMIT: '1', ...bucketEnv(s3) }))
})
afterEach(async () => {
  await node.close()
  await world.close()
  await s3.close()
})

const own = () => ({ project_id: ann.projectId })
/** Recordings in the bucket. */
const stored = () => [...s3.objects].flatMap(([key, object]) => (key.startsWith('recordings/') ? [object] : []))
const list = async () => (await world.api(recordings.list, own(), { as: ann })).body.results
const limits = async () => (await world.api(recordings.limits, own(), { as: ann })).body
/** Error of the last round; null: it succeeded. */
const failure = async () =>
  (await world.app.db.selectFrom('jobs').select('error').where('kind', '=', 'recordings.archive').executeTakeFirst())
    ?.error
const isArchived = async () => (await list())[0]?.server === 'S3'
/** Has the next round run now, here or by the running service. */
async function archive(): Promise<void> {
  const round = world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'recordings.archive')
  // The running service inserts its jobs after its start.
  await eventually(async () => (await round.executeTakeFirst()).numUpdatedRows > 0)
  await world.app.jobs.runDue(['recordings.archive'])
}

/** Records a short broadcast. @returns its recording */
async function record() {
  await world.api(streamKeys.setRecord, { ...own(), record: true }, { as: ann })
  await world.api(streamKeys.setWait, { ...own(), wait_minutes: 0 }, { as: ann })
  const encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 2))
  await eventually(async () => (await list())[0]?.state === 'recording')
  encoder.end()
  return eventually(async () => (await list()).find(({ state }) => state === 'ready'))
}

async function download(id: number, range?: string): Promise<Buffer> {
  const { body } = await world.api(recordings.download, { ...own(), id }, { as: ann })
  const answer = await fetch(url + body.url, { headers: range === undefined ? {} : { range } })
  expect(answer.status).toBe(range === undefined ? 200 : 206)
  return Buffer.from(await answer.arrayBuffer())
}

test('moves a finished recording to the bucket, serves it without its node, and deletes it there', async () => {
  const one = await record()
  const file = join(world.dataDir, 'recordings', one.file)
  const content = readFileSync(file)
  const before = await limits()
  await archive()
  await eventually(isArchived)
  expect(stored().map((object) => object.equals(content))).toEqual([true])
  expect(s3.uploads.size).toBe(0)
  expect((await list()).map(({ id, server, state, size }) => [id, server, state, size])).toEqual([
    [one.id, 'S3', 'ready', content.length],
  ])
  expect(await limits()).toEqual(before)
  await eventually(() => !existsSync(file))
  const { db } = world.app
  await eventually(async () => (await db.selectFrom('recordings').select('id').execute()).length === 1)

  await node.close()
  expect((await download(one.id)).equals(content)).toBe(true)
  expect((await download(one.id, 'bytes=5-104')).equals(content.subarray(5, 105))).toBe(true)

  expect((await world.api(recordings.remove, { ...own(), id: one.id }, { as: ann })).status).toBe(200)
  expect(await list()).toEqual([])
  await archive()
  await eventually(async () => (await db.selectFrom('recordings').select('id').execute()).length === 0)
  expect(stored().length).toBe(0)
})

test('leaves a recording on its node while S3 refuses, and while the node is away', async () => {
  const one = await record()
  const content = readFileSync(join(world.dataDir, 'recordings', one.file))
  s3.fault = 'refuse'
  await archive()
  await eventually(async () => (await failure()) !== null)
  expect((await list())[0]?.server).toBe('here')
  expect((await download(one.id)).equals(content)).toBe(true)
  expect(world.logged.join('')).not.toContain(s3.secretAccessKey)

  s3.fault = 'none'
  await node.close()
  await eventually(() => !world.services.relay.hasMachine('here'))
  await archive()
  await eventually(async () => (await failure()) === null)
  expect([stored().length, s3.uploads.size]).toEqual([0, 0])
  expect((await list())[0]?.server).toBe('here')
})

const jobRow = () => world.app.db.updateTable('jobs').where('kind', '=', 'recordings.archive')
/** Gives the job to another replica, which does not finish it. */
const takeLease = async () => void (await jobRow().set({ token: 7 }).execute())
const sizes = () => stored().map(({ length }) => length)

/** Returns the path of a copy. Nodes send files with such names only. */
const pathOf = (number: number) => join(world.dataDir, 'recordings', String(ann.projectId), `${number}.mp4`)

/** Adds a recording whose file is that of another one. @param bytes of the file; default: those of the other one */
async function addCopy(id: number, number: number, bytes?: number): Promise<number> {
  const { db } = world.app
  const { id: _, ...row } = await db.selectFrom('recordings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  copyFileSync(join(world.dataDir, 'recordings', row.file), pathOf(number))
  if (bytes !== undefined) truncateSync(pathOf(number), bytes)
  const about = {
    name: `${ann.projectId}/${number}`,
    file: `${ann.projectId}/${number}.mp4`,
    bytes: bytes ?? row.bytes,
  }
  const added = await db
    .insertInto('recordings')
    .values({ ...row, ...about })
    .returning('id')
    .executeTakeFirstOrThrow()
  return added.id
}

/** A recording of three parts, alone. */
async function recordLarge(): Promise<number> {
  const one = await record()
  const bytes = 40 * 1024 * 1024
  await addCopy(one.id, 1, bytes)
  await world.app.db.deleteFrom('recordings').where('id', '=', one.id).execute()
  return bytes
}

test('renews its lease with each part', async () => {
  const bytes = await recordLarge()
  const left: number[] = []
  s3.onUpload = async () => {
    const { due } = await jobRow().set({ error: null }).returning('due').executeTakeFirstOrThrow()
    left.push(Number(due) - Date.now())
    // The lease ends after the next minute.
    await jobRow()
      .set({ due: Date.now() + 60_000 })
      .execute()
  }
  await archive()
  await eventually(isArchived)
  expect(sizes()).toEqual([bytes])
  expect(left).toHaveLength(4)
  for (const ms of left.slice(0, 3)) expect(ms).toBeGreaterThan(120_000)
})

test('ends an upload when another replica has the lease', async () => {
  await recordLarge()
  let parts = 0
  s3.onUpload = async () => {
    parts++
    await takeLease()
  }
  await archive()
  await eventually(() => parts === 1 && s3.uploads.size === 0)
  expect(stored().length).toBe(0)
  expect((await list())[0]?.server).toBe('here')
})

test.each(['stays', 'is deleted'])('leaves no object of a commit that failed, while its recording %s', async (what) => {
  const one = await record()
  s3.onUpload = async (step) => {
    if (step === 'part') return
    await takeLease()
    if (what === 'is deleted') await world.app.db.deleteFrom('recordings').where('id', '=', one.id).execute()
  }
  await archive()
  await eventually(() => stored().length + s3.uploads.size === 0)
  s3.onUpload = async () => undefined
  await jobRow().set({ token: 0 }).execute()
  await archive()
  await eventually(async () => (await failure()) === null && stored().length === (what === 'stays' ? 1 : 0))
  const left = await world.app.db.selectFrom('recordings').select('name').where('node', '=', '@s3').execute()
  expect(left).toHaveLength(what === 'stays' ? 1 : 0)
})

test('a file that cannot be read, and machines that are away, do not hold up the others', async () => {
  const one = await record()
  const { db } = world.app
  const { id: _, ...row } = await db
    .selectFrom('recordings')
    .selectAll()
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow()
  const away = Array.from({ length: 1001 }, (_each, number) => ({ ...row, node: 'away', name: `away ${number}` }))
  await db.insertInto('recordings').values(away).execute()
  const broken = await addCopy(one.id, 1)
  const content = readFileSync(pathOf(1))
  truncateSync(pathOf(1), 10)
  await addCopy(one.id, 2)
  await db.deleteFrom('recordings').where('id', '=', one.id).execute()
  await archive()
  await eventually(() => stored().length === 1)
  await eventually(async () => (await failure())?.includes(`the first is ${broken}`))
  expect(s3.uploads.size).toBe(0)

  writeFileSync(pathOf(1), content)
  await archive()
  expect(stored().length).toBe(1)
  world.clock.advance(3_600_001)
  await archive()
  await eventually(() => stored().length === 2)
  await eventually(async () => (await failure()) === null)
})

test('removes the object of a recording that is deleted while it is moved', async () => {
  const one = await record()
  // The node has deleted the file, and its row is gone, before the upload ends.
  const uploaded = eventually(() => stored().length === 1 || s3.uploads.size === 1)
  const moving = archive()
  await uploaded
  await world.app.db.deleteFrom('recordings').where('id', '=', one.id).execute()
  await moving
  expect(await eventually(() => stored().length + s3.uploads.size === 0)).toBe(true)
})

test('aborts what was begun in the bucket a day ago, of recordings and films only', async () => {
  const bucket = createObjectStore({ ...s3, endpoint: s3.url })
  const begun = new Map<string, string>()
  for (const name of ['media/masters/old.mp4', 'recordings/1/old.mp4', 'others/old.mp4', 'recordings/1/new.mp4'])
    begun.set(name, await bucket.beginParts(name, 'video/mp4'))
  for (const [name, upload] of begun)
    if (name.includes('old')) s3.times.set(upload, new Date(Date.now() - 25 * 3_600_000))
  await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'bucket.unfinished').execute()
  await world.app.jobs.runDue(['bucket.unfinished'])
  await eventually(() => s3.uploads.size === 2)
  const left = await Promise.all(['others/', 'recordings/'].map((prefix) => bucket.listUnfinished(prefix)))
  expect(left.flat().map(({ name }) => name)).toEqual(['others/old.mp4', 'recordings/1/new.mp4'])
})
