// Attacks on uploads: headers that lie, requests beside each other, other folders, and what a film leaves when it ends early.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { members } from '#contract/areas/projects/members.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { assignPreparation } from '#server/domain/media/preparation.ts'
import { eventually } from '#server/testing/eventually.ts'
import { teamOf } from '#server/testing/team.ts'
import { mediaWorld, type Shelf, storeKinds, type StoreKind } from '#server/testing/media-shelf.ts'
import type { StoreFolder } from '#server/storage/store.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { type Upload, tusClient, uploadOf, uploadWhole } from '#server/testing/uploads.ts'

let world: World
let shelf: Shelf
let kind: StoreKind
let close: () => Promise<void>
let ann: Person
let url: string
async function start(of: StoreKind): Promise<void> {
  kind = of
  ;({ world, shelf, close } = await mediaWorld(kind, { RECORD_LIMIT: '1' }))
  ann = await world.user()
  url = (await world.app.listen()).url
}
afterEach(() => close())

const own = () => ({ project_id: ann.projectId })
const used = async () => (await world.api(videos.limits, own(), { as: ann })).body.video_current
const stateOf = async ({ id }: Upload) =>
  (await world.api(mediaFiles.get, { ...own(), media_id: id }, { as: ann })).body
const files = (folder: StoreFolder) => shelf.files(folder)
const sizeOf = ({ fileId }: Upload) => shelf.content(`uploads/${fileId}`).length
const create = ({ ticket }: Upload, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(`${url}/uploads`, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-ticket': ticket, ...headers },
    ...(signal && { signal }),
  })
const row = () => world.app.db.selectFrom('media_uploads').selectAll().executeTakeFirstOrThrow()
const isLocked = async () =>
  (await world.app.db.selectFrom('media_uploads').select('lock_owner').execute()).some(
    ({ lock_owner }) => lock_owner !== null,
  )

/** Waits for bytes of a piece that stays open. A bucket has them when the piece ends. */
const arrived = (upload: Upload, bytes: number) =>
  eventually(() => (kind === 'folder' ? sizeOf(upload) === bytes : isLocked()))

/** Begins a piece that stays open. */
function open({ fileId, ticket }: Upload, length: number, at = url) {
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-ticket': ticket,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    'content-length': length,
  }
  const sent = request(`${at}/uploads/${fileId}`, { method: 'PATCH', headers })
  const answered = new Promise<number>((resolve) => {
    sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', () => resolve(0))
  })
  return { sent, answered }
}

test.each(storeKinds)('headers that no upload has are refused before anything is reserved (%s)', async (store) => {
  await start(store)
  const upload = await uploadOf(world, ann)
  for (const headers of [
    { 'upload-length': '500', 'upload-concat': 'partial' },
    { 'upload-length': '500', 'upload-concat': 'final;/uploads/a /uploads/b' },
    { 'upload-length': '500', 'upload-defer-length': '1' },
    { 'upload-length': '500', 'upload-metadata': 'filename =!*base64' },
    { 'upload-length': '500', 'upload-metadata': ',' },
    { 'upload-length': '0500' },
    { 'upload-length': '5e2' },
    { 'upload-length': '999999999999999999999999' },
  ])
    expect([headers, (await create(upload, headers)).status]).toEqual([headers, 400])
  expect((await create(upload, { 'upload-length': '999999999999999' })).status).toBe(400)
  expect([await used(), files('uploads'), (await stateOf(upload)).done]).toEqual([0, [], 0])
})

test.each(storeKinds)('offsets and pieces that lie change nothing (%s)', async (store) => {
  await start(store)
  const upload = await uploadOf(world, ann)
  const client = tusClient(url, upload)
  await client.create(100)
  await client.patch(0, randomBytes(40))
  const patch = (headers: Record<string, string>, body: string) =>
    fetch(client.path, {
      method: 'PATCH',
      headers: {
        ...client.headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '40',
        ...headers,
      },
      body,
    })
  for (const [headers, statuses] of [
    [{ 'upload-offset': '-1' }, [400]],
    [{ 'upload-offset': '99999999999999999999' }, [400, 409]],
    [{ 'upload-offset': '41' }, [409]],
    [{ 'upload-offset': '0' }, [409]],
    [{ 'upload-offset': 'NaN' }, [400]],
    [{ 'upload-length': '1000' }, [400]],
    [{ 'content-type': 'text/plain' }, [400, 415]],
    [{ 'tus-resumable': '0.2.2' }, [400, 412]],
  ] as const) {
    const { status } = await patch(headers, 'x')
    expect(statuses, JSON.stringify(headers)).toContain(status)
  }
  expect((await patch({}, 'x'.repeat(61))).status).toBe(413)
  expect([await client.offset(), await used()]).toEqual([40, 100])
  // A piece without a length, which does not end where the upload does.
  const endless = async function* () {
    for (let at = 0; at < 50; at++) yield new TextEncoder().encode('x'.repeat(10))
  }
  const headers = { ...client.headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': '40' }
  const answer = await fetch(client.path, {
    method: 'PATCH',
    headers,
    body: endless(),
    duplex: 'half',
  } as unknown as RequestInit).catch(() => null)
  expect(answer?.status ?? 413).toBe(413)
  expect(sizeOf(upload)).toBeLessThanOrEqual(100)
})

test.each(storeKinds)('an upload that begins anew keeps its space until no piece runs (%s)', async (store) => {
  await start(store)
  const upload = await uploadOf(world, ann)
  const client = tusClient(url, upload)
  await client.create(10_000_000)
  const { sent, answered } = open(upload, 10_000_000)
  sent.write(randomBytes(200_000))
  await arrived(upload, 200_000)
  const leaving = new AbortController()
  const left = create(upload, { 'upload-length': '5' }, leaving.signal).catch(() => null)
  await eventually(async () => (await row()).lock_wanted === 1)
  leaving.abort()
  await left
  expect([await used(), Number((await row()).length)]).toEqual([10_000_000, 10_000_000])
  expect((await client.create(5)).status).toBe(201)
  sent.destroy()
  await answered
  expect([await used(), sizeOf(upload)]).toEqual([5, 0])
  expect((await client.patch(0, 'bytes')).status).toBe(204)
  expect(await stateOf(upload)).toMatchObject({ step: 'waiting' })
})

test.each(storeKinds)(
  'a film that is cancelled or deleted while a piece runs leaves no bytes, no lock, and no 500 (%s)',
  async (store) => {
    await start(store)
    for (const end of ['cancel', 'remove', 'tus'] as const) {
      const upload = await uploadOf(world, ann)
      const client = tusClient(url, upload)
      await client.create(1_000)
      const { sent, answered } = open(upload, 1_000)
      sent.write(randomBytes(400))
      await arrived(upload, 400)
      if (end === 'tus') expect((await client.remove()).status).toBe(204)
      else await world.api(mediaFiles[end], { ...own(), media_id: upload.id }, { as: ann })
      await eventually(() => files('uploads').length === 0)
      sent.end(randomBytes(600))
      expect(await answered, end).toBeLessThan(500)
      expect([await used(), files('uploads'), await isLocked()]).toEqual([0, [], false])
      expect((await client.patch(400, 'x')).status).toBeLessThan(500)
    }
    expect(world.logged.filter((line) => line.includes('An upload failed'))).toEqual([])
  },
)

test.each(storeKinds)('a hundred creations at once never reserve more than the space (%s)', async (store) => {
  await start(store)
  const all = await Promise.all(Array.from({ length: 100 }, () => uploadOf(world, ann)))
  const answers = await Promise.all(all.map((upload) => tusClient(url, upload).create(30_000_000)))
  const statuses = answers.map(({ status }) => status)
  expect([
    statuses.filter((status) => status === 201).length,
    statuses.filter((status) => status === 400).length,
  ]).toEqual([33, 67])
  expect(await used()).toBe(990_000_000)
  expect(files('uploads')).toHaveLength(33)
})

test('an upload leaves the room on the disk that others have announced', async () => {
  await start('folder')
  const { bavail, bsize } = statfsSync(world.dataDir)
  const [other, upload] = [await uploadOf(world, await world.user('bob@example.com')), await uploadOf(world, ann)]
  expect((await tusClient(url, other).create(100)).status).toBe(201)
  const set = async ({ length, received }: { readonly length?: number; readonly received?: number }) => {
    if (length !== undefined)
      await world.app.db.updateTable('media_files').set({ bytes: length }).where('id', '=', other.id).execute()
    if (received !== undefined)
      await world.app.db.updateTable('media_uploads').set({ received }).where('media_id', '=', other.id).execute()
  }
  // It fills the disk of this machine.
  await set({ length: bavail * bsize })
  const answer = await tusClient(url, upload).create(1_000)
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { name: 'UploadsRefused' } }])
  expect([await used(), files('uploads').length]).toEqual([0, 1])
  await set({ received: bavail * bsize })
  expect((await tusClient(url, upload).create(1_000)).status).toBe(201)
})

test('a film waits while the disk has no room for its master', async () => {
  await start('folder')
  await world.app.jobs.stop()
  const upload = await uploadOf(world, ann)
  await uploadWhole(url, upload, randomBytes(100))
  const asked: string[] = []
  Object.assign(world.services.relay, { preparers: () => ['one'], prepare: (node: string) => void asked.push(node) })
  const { bavail, bsize } = statfsSync(world.dataDir)
  const look = async (bytes: number) => {
    await world.app.db.updateTable('media_files').set({ bytes }).execute()
    await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'media.prepare').execute()
    await world.app.jobs.runDue(['media.prepare'])
    return [(await stateOf(upload)).step, (await row()).attempts, asked.length]
  }
  expect(await look(bavail * bsize)).toEqual(['waiting', 0, 0])
  expect(await look(100)).toEqual(['preparing', 1, 1])
})

// A service on SQLite has one replica.
const replicas = process.env['DATABASE_URL'] ? ['this replica', 'another replica'] : ['this replica']
test.each(replicas)('a piece of a member who is removed ends immediately, at %s', async (where) => {
  await start('folder')
  const { owner, editor, projectId } = await teamOf(world)
  const at = where === 'this replica' ? url : (await (await world.replica()).listen()).url
  const upload = await uploadOf(world, { ...editor, projectId })
  const client = tusClient(at, upload)
  expect((await client.create(1_000)).status).toBe(201)
  const { sent, answered } = open(upload, 1_000, at)
  sent.write(randomBytes(400))
  await arrived(upload, 400)
  await world.api(members.del, { project_id: projectId, user_id: editor.id }, { as: owner })
  expect(await answered).toBe(0)
  await eventually(async () => !(await isLocked()))
  expect([(await client.patch(400, 'bytes')).status, (await client.create(5)).status]).toEqual([401, 401])
})

test.each(storeKinds)('a few requests wait for an upload, and further ones are refused at once (%s)', async (store) => {
  await start(store)
  const upload = await uploadOf(world, ann)
  await tusClient(url, upload).create(1_000)
  // Of a replica that does not answer.
  await world.app.db
    .updateTable('media_uploads')
    .set({ lock_owner: 'away', lock_until: Date.now() + 3_000 })
    .execute()
  const begun = performance.now()
  const answers = Array.from({ length: 20 }, async (_, at) => {
    const { status } = await (at % 2 ? create(upload, { 'upload-length': '500' }) : tusClient(url, upload).patch(0, ''))
    return { status, ms: performance.now() - begun }
  })
  const all = await Promise.all(answers)
  const refused = all.filter(({ status }) => status === 423)
  expect([all.length - refused.length, refused.length]).toEqual([3, 17])
  // Those that wait have the lock after three seconds.
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(
    Math.min(...all.filter(({ status }) => status !== 423).map(({ ms }) => ms)),
  )
})

// A service on SQLite has one folder.
test.skipIf(!process.env['DATABASE_URL'])('a replica with another folder touches no film', async () => {
  await start('folder')
  const upload = await uploadOf(world, ann)
  await uploadWhole(url, upload, randomBytes(100))
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-other-'))
  writeFileSync(join(folder, 'folder-number'), 'another\n')
  const elsewhere = await world.replica({ mediaDir: folder })
  await world.app.jobs.stop()
  await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'media.prepare').execute()
  await elsewhere.jobs.runDue(['media.prepare'])
  expect(await stateOf(upload)).toMatchObject({ status: 'processing', step: 'waiting' })
  // It does not forget a film whose file it cannot remove.
  await world.api(mediaFiles.cancel, { ...own(), media_id: upload.id }, { as: ann })
  await elsewhere.jobs.runDue(['media.clean'])
  await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'media.clean').execute()
  await world.app.jobs.runDue(['media.clean'])
  expect(files('uploads')).toEqual([])
  rmSync(folder, { recursive: true })
})

test.each(storeKinds)('what a node has sent goes with its preparation, and with the film (%s)', async (store) => {
  await start(store)
  await world.app.jobs.stop()
  const upload = await uploadOf(world, ann)
  await uploadWhole(url, upload, randomBytes(100))
  const assign = async () => (await assignPreparation(world.services, upload.id, ['one', 'two'])).assignment
  const send = (ticket: string) =>
    fetch(`${url}/relay/prepare/master`, {
      method: 'PUT',
      body: 'part',
      headers: {
        'prepare-ticket': ticket,
        'content-range': 'bytes 0-3/*',
        'content-type': 'application/octet-stream',
      },
    })
  const first = await assign()
  expect((await send(first?.ticket ?? '')).status).toBe(200)
  expect(files('making')).toHaveLength(1)
  // The node was silent: another one begins anew.
  await world.app.db.updateTable('media_uploads').set({ node_until: 0 }).execute()
  await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'media.prepare').execute()
  await world.app.jobs.runDue(['media.prepare'])
  expect(files('making')).toEqual([])
  const second = await assign()
  expect((await send(second?.ticket ?? '')).status).toBe(200)
  await world.api(mediaFiles.cancel, { ...own(), media_id: upload.id }, { as: ann })
  expect((await send(second?.ticket ?? '')).status).toBe(401)
  await world.app.jobs.runDue(['media.clean'])
  expect([files('making'), files('uploads'), await used()]).toEqual([[], [], 0])
})

test.each(storeKinds)('a film that ends while its master gets its name leaves no master (%s)', async (store) => {
  await start(store)
  await world.app.jobs.stop()
  const upload = await uploadOf(world, ann)
  await uploadWhole(url, upload, randomBytes(100))
  const { assignment } = await assignPreparation(world.services, upload.id, ['one'])
  const headers = { 'prepare-ticket': assignment?.ticket ?? '' }
  const octets = { 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-3/*' }
  await fetch(`${url}/relay/prepare/master`, { method: 'PUT', body: 'part', headers: { ...headers, ...octets } })
  await world.api(mediaFiles.remove, { ...own(), media_id: upload.id }, { as: ann })
  const facts = { bytes: 4, ms: 1_000, width: 2, height: 2, thumbnail: Buffer.from([0xff, 0xd8]).toString('base64') }
  const answer = await fetch(`${url}/relay/prepare/film`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(facts),
  })
  expect(answer.status).toBe(401)
  await world.app.jobs.runDue(['media.clean'])
  expect([files('masters'), files('making'), files('uploads')]).toEqual([[], [], []])
})
