// Recordings in S3: from the disk of a node to the bucket, downloads while the node is unreachable, and deletion.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { encoderOf, recordingWorld } from '#server/app/testing/relay-node.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type S3Double, s3Double } from '#server/testing/s3.ts'
import type { Person, World } from '#server/testing/test-app.ts'

let s3: S3Double
let world: World
let ann: Person
let node: RelayNode
let url: string

beforeEach(async () => {
  s3 = await s3Double()
  const bucket = {
    S3_URL: s3.url,
    S3_REGION: s3.region,
    S3_ACCESS_KEY: s3.accessKeyId,
    S3_SECRET_KEY: s3.secretAccessKey,
  }
  ;({ world, ann, node, url } = await recordingWorld({ RECORD_LIMIT: '1', ...bucket }))
})
afterEach(async () => {
  await node.close()
  await world.close()
  await s3.close()
})

const own = () => ({ project_id: ann.projectId })
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
  expect([...s3.objects.values()].map((object) => object.equals(content))).toEqual([true])
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
  expect(s3.objects.size).toBe(0)
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
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0])
  expect((await list())[0]?.server).toBe('here')
})

test('removes the object of a recording that is deleted while it is moved', async () => {
  const one = await record()
  // The node has deleted the file, and its row is gone, before the upload ends.
  const uploaded = eventually(() => s3.objects.size === 1 || s3.uploads.size === 1)
  const moving = archive()
  await uploaded
  await world.app.db.deleteFrom('recordings').where('id', '=', one.id).execute()
  await moving
  expect(await eventually(() => s3.objects.size + s3.uploads.size === 0)).toBe(true)
})
