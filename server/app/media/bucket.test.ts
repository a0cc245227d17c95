// Films in a bucket at two replicas without a shared folder: preparation, downloads, buckets that refuse or are the wrong one.
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mediaFiles } from '#contract/areas/media/files.ts'
import type { App } from '#server/app/create-app.ts'
import { assignPreparation } from '#server/domain/media/preparation.ts'
import { eventually } from '#server/testing/eventually.ts'
import { bucketEnv, mediaWorld, type Shelf } from '#server/testing/media-shelf.ts'
import { type S3Double, s3Double } from '#server/testing/s3.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { type Upload, tusClient, uploadOf, uploadWhole } from '#server/testing/uploads.ts'
import { readConfig } from '#server/app/settings.ts'

let world: World
let shelf: Shelf
let s3: S3Double
let ann: Person
let far: App
let url: string
let farUrl: string
let folder: string
let close: () => Promise<void>
beforeEach(async () => {
  ;({ world, shelf, close } = await mediaWorld('bucket', { RECORD_LIMIT: '1' }))
  s3 = shelf.s3!
  ann = await world.user()
  url = (await world.app.listen()).url
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-far-'))
  cpSync(join(world.dataDir, 'secret'), join(folder, 'secret'))
  far = await world.replica({ dataDir: folder })
  farUrl = (await far.listen()).url
})
afterEach(async () => {
  s3.fault = 'none'
  await close()
  rmSync(folder, { recursive: true })
})

const own = () => ({ project_id: ann.projectId })
const stateOf = async ({ id }: Upload) =>
  (await world.api(mediaFiles.get, { ...own(), media_id: id }, { as: ann })).body
const errorOf = async (answer: Response) => ((await answer.json()) as { error: { name: string } }).error.name

/** Uploads a film at one replica, and prepares it as a node would, at both in turn. */
async function prepare(upload: Upload, master: Uint8Array<ArrayBuffer>): Promise<void> {
  await Promise.all([world.app.jobs.stop(), far.jobs.stop()])
  await uploadWhole(url, upload, randomBytes(1_500_000))
  const { assignment } = await assignPreparation(world.services, upload.id, ['node'])
  const headers = { 'prepare-ticket': assignment?.ticket ?? '' }
  const part = 6 * 1024 * 1024
  for (let from = 0; from < master.length; from += part) {
    const body = master.subarray(from, from + part)
    const range = {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${from}-${from + body.length - 1}/*`,
    }
    const at = from % (2 * part) === 0 ? farUrl : url
    const answer = await fetch(`${at}/relay/prepare/master`, { method: 'PUT', body, headers: { ...headers, ...range } })
    expect(await answer.json()).toEqual({ bytes: from + body.length })
  }
  const thumbnail = Buffer.from([0xff, 0xd8, 0xff, 0xd9]).toString('base64')
  const facts = { bytes: master.length, ms: 2_000, width: 64, height: 36, thumbnail }
  const film = () =>
    fetch(`${farUrl}/relay/prepare/film`, {
      method: 'PUT',
      body: JSON.stringify(facts),
      headers: { ...headers, 'content-type': 'application/json' },
    })
  expect((await film()).status).toBe(200)
  await world.app.jobs.runDue(['media.clean'])
}

test('a film goes through two replicas without a file on either, and is served in parts by both', async () => {
  const upload = await uploadOf(world, ann)
  const master = randomBytes(14 * 1024 * 1024)
  await prepare(upload, master)
  const { video, size } = await stateOf(upload)
  expect(size).toBe(master.length)
  expect([shelf.files('uploads'), shelf.files('making'), s3.uploads.size]).toEqual([[], [], 0])
  expect([existsSync(join(world.dataDir, 'media')), existsSync(join(folder, 'media'))]).toEqual([false, false])
  const [name = ''] = shelf.files('masters')
  expect(shelf.content(`masters/${name}`).equals(master)).toBe(true)
  for (const at of [url, farUrl])
    for (const path of [video, `/relay/media/${name}`]) {
      const part = await fetch(`${at}${path}`, { headers: { range: 'bytes=7000000-7000099' } })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 7000000-7000099/${master.length}`])
      expect(Buffer.from(await part.arrayBuffer())).toEqual(master.subarray(7_000_000, 7_000_100))
    }
  await world.api(mediaFiles.remove, { ...own(), media_id: upload.id }, { as: ann, through: far })
  await far.jobs.runDue(['media.clean'])
  expect([...s3.objects.keys()]).toEqual(['media/folder-number'])
})

test('downloads of a bucket that refuses are 503, and broken ones are no whole file', async () => {
  const upload = await uploadOf(world, ann)
  await prepare(upload, randomBytes(1_000_000))
  const { video } = await stateOf(upload)
  const [name = ''] = shelf.files('masters')
  for (const fault of ['refuse', 'forbid'] as const) {
    s3.fault = fault
    for (const path of [video, `/relay/media/${name}`]) {
      const answer = await fetch(`${url}${path}`)
      expect([answer.status, answer.headers.get('retry-after'), await errorOf(answer)]).toEqual([503, '5', 'StoreAway'])
    }
  }
  expect(world.logged.filter((line) => line.includes('The store of files cannot be reached')).join('')).toContain('403')
  expect(world.logged.join('')).not.toContain(s3.secretAccessKey)
  s3.fault = 'cut'
  await expect(fetch(`${url}${video}`).then((answer) => answer.arrayBuffer())).rejects.toThrow(/\w/)
  s3.fault = 'none'
  expect((await (await fetch(`${url}${video}`)).arrayBuffer()).byteLength).toBe(1_000_000)
})

test.each(['refuse', 'forbid'] as const)('an upload continues after a bucket that answered %s', async (fault) => {
  const content = randomBytes(2_500_000)
  const upload = await uploadOf(world, ann)
  const [here, there] = [tusClient(url, upload), tusClient(farUrl, upload)]
  s3.fault = fault
  expect((await here.create(content.length)).status).toBe(503)
  s3.fault = 'none'
  expect((await here.create(content.length)).status).toBe(201)
  expect((await here.patch(0, content.subarray(0, 1_100_000))).status).toBe(204)
  s3.fault = fault
  expect((await here.patch(1_100_000, content.subarray(1_100_000))).status).toBe(503)
  expect((await fetch(there.path, { method: 'HEAD', headers: there.headers })).status).toBe(503)
  s3.fault = 'none'
  expect(await there.offset()).toBe(1_100_000)
  expect((await there.patch(1_100_000, content.subarray(1_100_000))).status).toBe(204)
  expect(await stateOf(upload)).toMatchObject({ step: 'waiting' })
  expect(shelf.content(`uploads/${upload.fileId}`).equals(content)).toBe(true)
})

test('a bucket that breaks in a piece keeps the full pieces before', async () => {
  const content = randomBytes(4_000_000)
  const upload = await uploadOf(world, ann)
  const client = tusClient(url, upload)
  await client.create(content.length)
  let writes = 0
  s3.onWrite = () => (++writes > 2 ? 'break after' : 'keep')
  expect((await client.patch(0, content)).status).toBe(503)
  s3.onWrite = () => 'keep'
  const offset = (await tusClient(farUrl, upload).offset()) ?? 0
  // The third one arrived, and its answer was lost.
  expect(offset).toBe(3 * 1024 * 1024)
  expect((await client.patch(offset, content.subarray(offset))).status).toBe(204)
  expect(shelf.content(`uploads/${upload.fileId}`).equals(content)).toBe(true)
})

test('a bucket that gives no answer ends the request after some seconds', async () => {
  const upload = await uploadOf(world, ann)
  const client = tusClient(url, upload)
  await client.create(1_000)
  s3.fault = 'hang'
  const waiting = client.patch(0, randomBytes(1_000))
  await eventually(async () => (await stateOf(upload)).step === 'uploading')
  expect((await waiting).status).toBe(503)
  s3.fault = 'none'
  expect(await client.offset()).toBe(0)
  expect((await client.patch(0, randomBytes(1_000))).status).toBe(204)
})

test('a replica with a bucket that does not exist takes no upload, and leaves films alone', async () => {
  await uploadWhole(url, await uploadOf(world, ann), randomBytes(10))
  const { s3: about } = readConfig({ ...bucketEnv(s3), S3_URL: s3.url.replace('relaydeck', 'another') })
  const lost = await world.replica({ s3: about })
  const lostUrl = (await lost.listen()).url
  const answer = await tusClient(lostUrl, await uploadOf(world, ann)).create(10)
  expect([answer.status, await errorOf(answer)]).toEqual([503, 'StoreAway'])
  await lost.jobs.runDue(['media.prepare', 'media.clean', 'media.reconcile'])
  expect(shelf.files('uploads')).toHaveLength(1)
})

// On SQLite there is one service, whose bucket is the right one.
test.skipIf(!process.env['DATABASE_URL'])(
  'a replica with the bucket of another installation refuses uploads',
  async () => {
    await uploadWhole(url, await uploadOf(world, ann), randomBytes(10))
    const other = await s3Double()
    onTestFinished(other.close)
    other.objects.set('media/folder-number', Buffer.from('another\n'))
    const { s3: about } = readConfig(bucketEnv(other))
    const elsewhere = await world.replica({ s3: about })
    const answer = await tusClient((await elsewhere.listen()).url, await uploadOf(world, ann)).create(10)
    expect([answer.status, await errorOf(answer)]).toEqual([400, 'UploadsRefused'])
    expect(world.logged.join('')).toContain('Set S3_URL of all replicas to one bucket')
    expect([...other.objects.keys()]).toEqual(['media/folder-number'])
  },
)
