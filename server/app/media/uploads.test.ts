// Uploads of films over HTTP, at two replicas with one folder or one bucket: continuation, locks, space, access, and abandoned ones.
import { createHash, randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { beginUpload } from '#server/domain/media/films.ts'
import type { App } from '#server/app/create-app.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { eventually } from '#server/testing/eventually.ts'
import { mediaWorld, type Shelf, storeKinds, type StoreKind } from '#server/testing/media-shelf.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { type Upload, tusClient, uploadOf, uploadWhole } from '#server/testing/uploads.ts'

let world: World
let shelf: Shelf
let kind: StoreKind
let close: () => Promise<void>
let folder: string
let ann: Person
let far: App
let url: string
let farUrl: string
async function start(of: StoreKind): Promise<void> {
  kind = of
  ;({ world, shelf, close } = await mediaWorld(kind, { RECORD_LIMIT: '1' }))
  ann = await world.user()
  url = (await world.app.listen()).url
  // Replicas share a bucket, and no folder.
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-far-'))
  cpSync(join(world.dataDir, 'secret'), join(folder, 'secret'))
  far = await world.replica(kind === 'bucket' ? { dataDir: folder } : {})
  farUrl = (await far.listen()).url
}
afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

const own = () => ({ project_id: ann.projectId })
const stateOf = async ({ id }: Upload) =>
  (await world.api(mediaFiles.get, { ...own(), media_id: id }, { as: ann })).body
const space = async () => (await world.api(videos.limits, own(), { as: ann })).body
const sha = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const uploaded = (upload: Upload) => sha(shelf.content(`uploads/${upload.fileId}`))
const waiting = { status: 'processing', step: 'waiting' }

const lockOf = async ({ id }: Upload) =>
  (await world.app.db.selectFrom('media_uploads').select('lock_owner').where('media_id', '=', id).executeTakeFirst())
    ?.lock_owner ?? null

/** Sends a part of a piece, and no more: the connection stays open. */
async function hang(at: string, upload: Upload, piece: Uint8Array, length: number) {
  const { hostname, port } = new URL(at)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const head = [
    `PATCH /uploads/${upload.fileId} HTTP/1.1`,
    `host: ${hostname}`,
    'tus-resumable: 1.0.0',
    `upload-ticket: ${upload.ticket}`,
    'content-type: application/offset+octet-stream',
    'upload-offset: 0',
    `content-length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(piece)
  // A folder shows the bytes as they arrive, a bucket those of whole pieces.
  if (kind === 'folder') await eventually(() => uploaded(upload) === sha(piece))
  else await eventually(async () => (await lockOf(upload)) !== null)
  return socket
}

test.each(storeKinds)(
  'an upload in pieces at two replicas has the same bytes, and the name of its file (%s)',
  async (store) => {
    await start(store)
    const content = randomBytes(3_000_000)
    const upload = await uploadOf(world, ann)
    const [here, there] = [tusClient(url, upload), tusClient(farUrl, upload)]
    expect(await here.offset()).toBeNull()
    const created = await here.create(content.length, `filename ${Buffer.from('Back soon.mp4').toString('base64')}`)
    expect([created.status, created.headers.get('location')]).toEqual([201, `/uploads/${upload.fileId}`])
    expect(await stateOf(upload)).toMatchObject({ name: 'Back soon', size: content.length, step: 'uploading', done: 0 })
    expect((await space()).video_current).toBe(content.length)
    expect((await here.patch(0, content.subarray(0, 1_000_000))).status).toBe(204)
    await eventually(async () => (await stateOf(upload)).done === 33)
    expect(await there.offset()).toBe(1_000_000)
    expect((await there.patch(0, content.subarray(0, 10))).status).toBe(409)
    expect((await there.patch(1_000_000, content.subarray(1_000_000, 2_000_000))).status).toBe(204)
    expect((await here.patch(2_000_000, content.subarray(2_000_000))).status).toBe(204)
    expect(await stateOf(upload)).toMatchObject(waiting)
    expect(uploaded(upload)).toBe(sha(content))
    // The response to the last piece was lost: the client asks how far it was.
    expect(await there.offset()).toBe(content.length)
    expect((await there.patch(content.length, '')).status).toBe(404)
    const { status, error } = await world.api(mediaFiles.session, { ...own(), media_id: upload.id }, { as: ann })
    expect([status, error?.name]).toEqual([400, 'MediaNotProcessing'])
  },
)

test.each(storeKinds)(
  'a client that loses its connection in a piece continues at the other replica while the first one still waits (%s)',
  async (store) => {
    await start(store)
    const content = randomBytes(2_000_000)
    const upload = await uploadOf(world, ann)
    await tusClient(url, upload).create(content.length)
    const socket = await hang(url, upload, content.subarray(0, 700_000), 1_500_000)
    const there = tusClient(farUrl, upload)
    const offset = await there.offset()
    expect(offset).toBe(700_000)
    expect((await there.patch(700_000, content.subarray(700_000))).status).toBe(204)
    expect([await stateOf(upload), uploaded(upload)]).toMatchObject([waiting, sha(content)])
    socket.destroy()
  },
)

test.each(storeKinds)('a replica that was killed in a piece blocks its upload for seconds only (%s)', async (store) => {
  await start(store)
  const content = randomBytes(500_000)
  const upload = await uploadOf(world, ann)
  await tusClient(url, upload).create(content.length)
  await tusClient(url, upload).patch(0, content.subarray(0, 200_000))
  // What a killed replica leaves: its lock, and a part of a piece that it did not note.
  await world.app.db
    .updateTable('media_uploads')
    .set({ lock_owner: 'killed', lock_until: Date.now() + 3_000 })
    .execute()
  shelf.write(`uploads/${upload.fileId}`, content.subarray(0, 300_000))
  const there = tusClient(farUrl, upload)
  expect(await there.offset()).toBe(300_000)
  expect((await there.patch(300_000, content.subarray(300_000))).status).toBe(204)
  expect(uploaded(upload)).toBe(sha(content))
})

test.each(storeKinds)(
  'a replica that was killed after the last byte leaves an upload that the next request completes (%s)',
  async (store) => {
    await start(store)
    const content = randomBytes(100_000)
    const [asked, abandoned] = [await uploadOf(world, ann), await uploadOf(world, ann)]
    for (const upload of [asked, abandoned]) {
      await tusClient(url, upload).create(content.length)
      shelf.write(`uploads/${upload.fileId}`, content)
    }
    expect(await tusClient(farUrl, asked).offset()).toBe(content.length)
    expect(await stateOf(asked)).toMatchObject(waiting)
    // Nobody asks: the job that ends abandoned uploads completes it.
    expect(await stateOf(abandoned)).toMatchObject({ step: 'uploading' })
    await ageJobs(world.app.db, 25 * 3_600_000)
    await world.app.jobs.runDue(['media.expire'])
    expect(await stateOf(abandoned)).toMatchObject(waiting)
  },
)

test.each(storeKinds)(
  'a replica that was killed between the reservation and the file begins anew (%s)',
  async (store) => {
    await start(store)
    const content = randomBytes(1_000)
    const upload = await uploadOf(world, ann)
    await tusClient(url, upload).create(9_000)
    shelf.remove(`uploads/${upload.fileId}`)
    const there = tusClient(farUrl, upload)
    expect(await there.offset()).toBeNull()
    expect((await there.create(content.length)).status).toBe(201)
    expect((await space()).video_current).toBe(content.length)
    expect((await there.patch(0, content)).status).toBe(204)
    expect(uploaded(upload)).toBe(sha(content))
  },
)

test.each(storeKinds)(
  'two uploads never share a byte of the space, and nothing else of the space is counted twice (%s)',
  async (store) => {
    await start(store)
    const free = 1_000_000_000
    const all = await Promise.all(Array.from({ length: 6 }, (_, at) => uploadOf(world, ann, at % 2 ? far : world.app)))
    const answers = await Promise.all(
      all.map((upload, at) => tusClient(at % 2 ? farUrl : url, upload).create(free / 2 - 1_000)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = (await answers.find(({ status }) => status !== 201)?.json()) as {
      error: { name: string; data: object }
    }
    expect(refused.error).toMatchObject({ name: 'StorageFull', data: { left: 2_000 } })
    expect(await space()).toMatchObject({ video_limit: free, video_current: free - 2_000 })
    expect((await world.api(recordings.limits, own(), { as: ann })).body.video_current).toBe(free - 2_000)
    const begun = all.filter((_, at) => answers[at]?.status === 201)
    await tusClient(url, begun[0]!).remove()
    expect((await stateOf(begun[0]!)).status).toBe('cancel')
    await world.api(mediaFiles.cancel, { ...own(), media_id: begun[1]!.id }, { as: ann })
    expect((await space()).video_current).toBe(0)
    expect((await tusClient(url, begun[1]!).patch(0, 'x')).status).toBe(404)
  },
)

test.each(storeKinds)('a project without storage takes no films, and says so (%s)', async (store) => {
  await start(store)
  const poor = await testApp({ RECORD_LIMIT: '0' })
  const bob = await poor.user('Bob')
  const answer = await poor.api(mediaFiles.add, { project_id: bob.projectId }, { as: bob })
  expect(answer.error?.name).toBe('NoStorage')
  await poor.close()
})

test.each(storeKinds)('refuses uploads without a length, a ticket of the upload, or a right (%s)', async (store) => {
  await start(store)
  const [upload, other] = [await uploadOf(world, ann), await uploadOf(world, ann)]
  const client = tusClient(url, upload)
  const post = (headers: Record<string, string>) => fetch(`${url}/uploads`, { method: 'POST', headers })
  expect((await post({ ...client.headers, 'upload-defer-length': '1' })).status).toBe(400)
  expect((await post({ ...client.headers, 'upload-length': '-1' })).status).toBe(400)
  expect((await post({ 'upload-ticket': upload.ticket, 'upload-length': '1' })).status).toBe(400)
  expect((await post({ 'tus-resumable': '1.0.0', 'upload-length': '1' })).status).toBe(401)
  expect((await post({ ...client.headers, 'upload-ticket': 'x'.repeat(500), 'upload-length': '1' })).status).toBe(401)
  expect((await client.create(10)).status).toBe(201)
  const foreign = { headers: { ...client.headers, 'upload-ticket': other.ticket } }
  for (const method of ['HEAD', 'DELETE', 'PATCH'])
    expect([method, (await fetch(client.path, { ...foreign, method })).status]).toEqual([method, 401])
  expect((await client.patch(0, 'more than ten bytes')).status).toBe(413)
  expect(await client.offset()).toBe(0)
  // What was uploaded is not served.
  expect((await fetch(client.path, { headers: client.headers })).status).toBe(404)
  await world.app.db.updateTable('project_members').set({ access_type: 0 }).execute()
  expect((await client.patch(0, '1')).status).toBe(401)
})

test('refuses uploads where the folder is not that of the other replicas, and says why in the log', async () => {
  await start('folder')
  const content = randomBytes(10)
  await uploadWhole(url, await uploadOf(world, ann), content)
  const mediaDir = join(folder, 'media')
  mkdirSync(mediaDir)
  const elsewhere = await world.replica({ mediaDir })
  const elsewhereUrl = (await elsewhere.listen()).url
  writeFileSync(join(mediaDir, 'folder-number'), 'another\n')
  const answer = await tusClient(elsewhereUrl, await uploadOf(world, ann)).create(10)
  if (process.env['DATABASE_URL']) {
    expect([answer.status, ((await answer.json()) as { error: { name: string } }).error.name]).toEqual([
      400,
      'UploadsRefused',
    ])
    expect(world.logged.join('\n')).toContain('Set MEDIA_DIR of all replicas to one shared folder')
    expect(readdirSync(mediaDir)).toEqual(['folder-number'])
  } else expect(answer.status).toBe(201)
})

test.each(storeKinds)('an upload without a request for a day is cancelled, and its bytes go (%s)', async (store) => {
  await start(store)
  const upload = await uploadOf(world, ann)
  const client = tusClient(url, upload)
  await client.create(1_000)
  world.clock.advance(20 * 3_600_000)
  await client.patch(0, randomBytes(100))
  const received = () => world.app.db.selectFrom('media_uploads').select('received').executeTakeFirst()
  await eventually(async () => Number((await received())?.received) === 100)
  const pass = async (ms: number) => {
    world.clock.advance(ms)
    await ageJobs(world.app.db, 25 * 3_600_000)
    await world.app.jobs.runDue(['media.expire', 'media.clean'])
  }
  const row = () => world.app.db.selectFrom('media_files').select(['state', 'bytes']).executeTakeFirstOrThrow()
  await pass(5 * 3_600_000)
  expect(await row()).toMatchObject({ state: 'uploading' })
  await pass(20 * 3_600_000)
  await eventually(() => shelf.files('uploads').length === 0)
  expect(Number((await row()).bytes)).toBe(0)
  expect(await row()).toMatchObject({ state: 'cancelled' })
})

test.each(storeKinds)(
  'a replica that was killed while an upload begins anew leaves none of its earlier bytes (%s)',
  async (store) => {
    await start(store)
    const [old, content] = [randomBytes(5_000), randomBytes(9_000)]
    const upload = await uploadOf(world, ann)
    await tusClient(url, upload).create(old.length)
    await tusClient(url, upload).patch(0, old.subarray(0, 4_000))
    // Killed after the new reservation, with the earlier bytes in their place.
    const film = { projectId: ann.projectId, id: upload.id }
    await beginUpload(world.services, film, { length: content.length, name: '', room: 1e9 })
    const there = tusClient(farUrl, upload)
    expect(await there.offset()).toBeNull()
    expect((await there.patch(4_000, content.subarray(4_000))).status).toBe(404)
    expect((await space()).video_current).toBe(content.length)
    await there.create(content.length)
    await there.patch(0, content)
    expect([await stateOf(upload), uploaded(upload)]).toMatchObject([waiting, sha(content)])
  },
)
