// Films from the upload to the download, with a relay node that has ffmpeg; a node that dies; deletion and its interruptions.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { recordingVideoBase } from '#contract/entities/media.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { hasPrograms } from '#server/relay/testing/programs.ts'
import { reconcile } from '#server/app/jobs/media.ts'
import { nodeOf, relayToken } from '#server/app/testing/relay-node.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { prepareKind } from '#server/domain/media/jobs.ts'
import { eventually } from '#server/testing/eventually.ts'
import { addSomeFilm } from '#server/testing/films.ts'
import { mediaWorld, type Shelf, storeKinds, type StoreKind } from '#server/testing/media-shelf.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { type Upload, uploadOf, uploadWhole } from '#server/testing/uploads.ts'
import { WebSocket } from 'ws'

let world: World
let shelf: Shelf
let kind: StoreKind
let close: () => Promise<void>
let ann: Person
let url: string
let nodes: RelayNode[]
let published: { channel: string; payload: Record<string, unknown> }[]
async function start(of: StoreKind): Promise<void> {
  kind = of
  ;({ world, shelf, close } = await mediaWorld(kind, { RECORD_LIMIT: '1' }))
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
  nodes = []
  published = []
  const { realtime } = world.services
  const publish = realtime.publish
  Object.assign(realtime, {
    publish(channel: { type: string; id: number }, data: { payload: Record<string, unknown> }) {
      published.push({ channel: `${channel.type} ${channel.id}`, payload: data.payload })
      publish(channel as never, data as never)
    },
  })
}
afterEach(async () => {
  for (const node of nodes) await node.close()
  await close()
})

const own = () => ({ project_id: ann.projectId })
const file = async (id: number) => (await world.api(mediaFiles.get, { ...own(), media_id: id }, { as: ann })).body
const masters = () => shelf.files('masters')
const uploads = () => shelf.files('uploads')
const sha = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const begin = async (name = 'here') => {
  const preparing = join(world.dataDir, 'preparing')
  mkdirSync(preparing, { recursive: true })
  const about = { node: name, city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' }
  nodes.push(await nodeOf(world, url, { ffmpeg: 'ffmpeg', preparing, about }))
}

function film(seconds = 2): Buffer<ArrayBuffer> {
  const path = join(world.dataDir, 'source.mkv')
  const args = `-v error -y -f lavfi -i testsrc2=s=640x360:r=30:d=${seconds} -f lavfi -i sine=d=${seconds} -c:v libx264 -preset ultrafast -c:a aac ${path}`
  execFileSync('ffmpeg', args.split(' '))
  return readFileSync(path)
}

async function ready(content = film()): Promise<Upload> {
  const upload = await uploadOf(world, ann)
  await uploadWhole(url, upload, content)
  await eventually(async () => (await file(upload.id)).status !== 'processing')
  expect(await file(upload.id)).toMatchObject({ status: 'success' })
  await eventually(() => uploads().length === 0)
  return upload
}

test.skipIf(!hasPrograms).each(storeKinds)(
  'a film is prepared by a node that comes later, listed, downloaded in parts, chosen and deleted (%s)',
  async (store) => {
    await start(store)
    const upload = await uploadOf(world, ann)
    await uploadWhole(url, upload, film())
    expect(await file(upload.id)).toMatchObject({
      status: 'processing',
      step: 'waiting',
      isDisabled: true,
      video: '',
    })
    await begin()
    await eventually(async () => (await file(upload.id)).status !== 'processing')
    const done = await file(upload.id)
    expect(done).toMatchObject({ status: 'success', kind: 'film', width: 640, height: 360, isDisabled: false })
    expect(done.duration).toBeCloseTo(2, 1)
    await eventually(() => uploads().length === 0)
    const [name = ''] = masters()
    const master = shelf.content(`masters/${name}`)
    expect([name, done.size]).toEqual([expect.stringMatching(/^[\da-f]{32}\.mp4$/), master.length])
    // What was uploaded is gone, and the picture is served.
    expect((await fetch(done.thumbnail.replace(/^https?:\/\/[^/]+/, url))).headers.get('content-type')).toBe(
      'image/jpeg',
    )
    const events = published
      .filter(({ channel }) => channel === `media_file ${upload.id}`)
      .map(({ payload }) => payload)
    expect(events.map(({ step }) => step)).toEqual(expect.arrayContaining(['uploading', 'waiting', 'preparing']))
    expect(events.at(-1)).toEqual({ media_id: upload.id, status: 'success', done: 100 })

    const whole = await fetch(`${url}${done.video}`)
    expect(sha(new Uint8Array(await whole.arrayBuffer()))).toBe(sha(master))
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const part = await fetch(`${url}${done.video}`, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${master.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(master.subarray(100, 200))
    const ofNode = await fetch(`${url}/relay/media/${name}`, { headers: { range: 'bytes=10-' } })
    expect([ofNode.status, (await ofNode.arrayBuffer()).byteLength]).toEqual([206, master.length - 10])
    expect((await fetch(`${url}/relay/media/${name}`, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
    expect((await fetch(`${url}/relay/media/${'0'.repeat(32)}.mp4`)).status).toBe(404)
    expect((await fetch(`${url}/relay/media/..%2ffolder-number`)).status).toBe(404)
    expect((await fetch(`${url}${done.video.replace(/ticket=.*/, 'ticket=x')}`)).status).toBe(401)
    expect((await fetch(`${url}${done.video.replace(`/${upload.id}/`, '/999/')}`)).status).toBe(401)

    const listed = (await world.api(videos.list, own(), { as: ann })).body
    expect(listed).toMatchObject({
      total: 1,
      results: [{ id: upload.id, kind: 'upload', size: master.length, user_id: ann.id }],
    })
    const download = (await world.api(videos.download, { ...own(), id: upload.id }, { as: ann })).body
    expect((await fetch(`${url}${download.url}`)).status).toBe(200)
    expect((await world.api(videos.limits, own(), { as: ann })).body.video_current).toBe(master.length)

    await world.api(mediaFiles.set, { ...own(), media_id: upload.id, type: 'lost' }, { as: ann })
    const slates = async (...features: string[]) =>
      (await readDesired(world.services, ann.projectId, new Set(features))).state.slates
    expect(await slates('clips')).toEqual({ lost: name })
    expect((await slates())?.lost).toMatch(/\.jpg$/)
    expect((await world.api(videos.remove, { ...own(), id: upload.id }, { as: ann })).status).toBe(201)
    expect((await world.api(streamKeys.get, own(), { as: ann })).body.lost_media_service_file_id).toBeNull()
    await eventually(() => masters().length === 0)
    await eventually(async () => (await world.app.db.selectFrom('files').select('name').execute()).length === 0)
    expect((await fetch(`${url}${done.video}`)).status).toBe(400)
  },
)

test.skipIf(!hasPrograms).each(storeKinds)(
  'hostile uploads fail with a reason, and leave no file (%s)',
  async (store) => {
    await start(store)
    await begin()
    const upload = await uploadOf(world, ann)
    await uploadWhole(url, upload, Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'))
    await eventually(async () => (await file(upload.id)).status !== 'processing')
    expect(await file(upload.id)).toMatchObject({ status: 'error', error: 'unreadable', size: 0, thumbnail: '' })
    await eventually(() => uploads().length === 0)
    expect([masters(), (await world.api(videos.limits, own(), { as: ann })).body.video_current]).toEqual([[], 0])
    const choice = await world.api(mediaFiles.set, { ...own(), media_id: upload.id, type: 'pause' }, { as: ann })
    expect(choice.error?.name).toBe('MediaNotReady')
  },
)

/** A node of which the test is the program. */
async function handNode(name: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/relay`, {
    headers: { authorization: `Bearer ${relayToken(world)}` },
  })
  const received: { type: string; job?: string; ticket?: string }[] = []
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())))
  await new Promise((resolve) => socket.on('open', resolve))
  const send = (message: object) => socket.send(JSON.stringify(message))
  send({ type: 'hello', version: 3, node: name, projects: [], leases: [], features: ['prepare'] })
  const ffmpeg = { version: '5', x264: true, x265: false, srt: false }
  const report = (preparing: boolean) =>
    send({ type: 'report', report: { node: name, machine: name, city: 'x', ffmpeg, preparing } })
  report(false)
  return {
    socket,
    send,
    report,
    of: (type: string) => received.filter((one) => one.type === type),
    assigned: () => eventually(() => received.findLast(({ type }) => type === 'prepare')),
  }
}

test.skipIf(!hasPrograms).each(storeKinds)(
  'a silent node loses the film to another, and cannot end it any more (%s)',
  async (store) => {
    await start(store)
    const silent = await handNode('silent')
    const upload = await uploadOf(world, ann)
    await uploadWhole(url, upload, film())
    const { job = '', ticket = '' } = await silent.assigned()
    const headers = { 'prepare-ticket': ticket }
    expect((await fetch(`${url}/relay/prepare/original`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/relay/prepare/original`)).status).toBe(401)
    silent.send({ type: 'prepare', job, state: 'working', done: 40 })
    await eventually(async () => (await file(upload.id)).done === 40)
    silent.report(true)
    await begin('other')
    // Half a minute without a message.
    await world.app.db.updateTable('media_uploads').set({ node_until: 0 }).execute()
    await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'media.prepare').execute()
    await world.app.jobs.runDue(['media.prepare'])
    await eventually(async () => (await file(upload.id)).status === 'success')
    silent.send({ type: 'prepare', job, state: 'failed', error: 'unreadable' })
    silent.send({ type: 'prepare', job, state: 'working', done: 90 })
    await eventually(() => silent.of('unprepare').some((one) => one.job === job))
    expect((await fetch(`${url}/relay/prepare/original`, { headers })).status).toBe(401)
    const put = {
      method: 'PUT',
      body: 'x',
      headers: { ...headers, 'content-range': 'bytes 0-0/*', 'content-type': 'application/octet-stream' },
    }
    expect((await fetch(`${url}/relay/prepare/master`, put)).status).toBe(401)
    expect((await file(upload.id)).status).toBe('success')
    silent.socket.terminate()
  },
)

test.each(storeKinds)(
  'a busy node gives the film back, and a film that costs three nodes fails (%s)',
  async (store) => {
    await start(store)
    const node = await handNode('weak')
    const upload = await uploadOf(world, ann)
    await uploadWhole(url, upload, randomBytes(100))
    const again = async () => {
      await world.app.db.updateTable('jobs').set({ due: 0 }).where('kind', '=', 'media.prepare').execute()
      await world.app.jobs.runDue(['media.prepare'])
    }
    const { job = '' } = await node.assigned()
    node.send({ type: 'prepare', job, state: 'busy' })
    await eventually(async () => (await file(upload.id)).step === 'waiting')
    for (let attempt = 1; attempt <= 3; attempt++) {
      await again()
      await eventually(() => node.of('prepare').length === attempt + 1)
      await world.app.db.updateTable('media_uploads').set({ node_until: 0 }).execute()
    }
    await again()
    expect(await file(upload.id)).toMatchObject({ status: 'error', error: 'too-costly', size: 0 })
    await eventually(() => uploads().length === 0)
    node.socket.terminate()
  },
)

test.skipIf(!hasPrograms).each(storeKinds)(
  'a killed end of a preparation is repeated, and a killed deletion goes on at each step (%s)',
  async (store) => {
    await start(store)
    const node = await handNode('hand')
    const [one, other] = [await uploadOf(world, ann), await uploadOf(world, ann)]
    await uploadWhole(url, one, randomBytes(100))
    const { job, ticket = '' } = await node.assigned()
    // A bucket takes parts of 5 MiB or more, but the last one.
    const [part, all] = [5 * 1024 * 1024, 5 * 1024 * 1024 + 4_000]
    const content = randomBytes(all)
    const headers = { 'prepare-ticket': ticket }
    const put = (path: string, body: string | Uint8Array<ArrayBuffer>, more: Record<string, string>) =>
      fetch(`${url}/relay/prepare/${path}`, { method: 'PUT', body, headers: { ...headers, ...more } })
    const octets = { 'content-type': 'application/octet-stream' }
    const piece = (from: number, to: number) =>
      put('master', content.subarray(from, to), { ...octets, 'content-range': `bytes ${from}-${to - 1}/*` })
    expect((await piece(part, all)).status).toBe(416)
    expect((await piece(0, part)).status).toBe(200)
    expect((await piece(0, part)).status).toBe(200)
    expect((await piece(part, all)).status).toBe(200)
    const thumbnail = Buffer.from([0xff, 0xd8, 0xff, 0xd9]).toString('base64')
    const facts = JSON.stringify({ bytes: content.length, ms: 2_000, width: 64, height: 36, thumbnail })
    const json = { 'content-type': 'application/json' }
    expect((await put('film', JSON.stringify({ bytes: 1 }), json)).status).toBe(400)
    // The service was killed between the name of the file and its row.
    const { masterOf } = await import('#server/domain/media/preparation.ts')
    const name = masterOf(job ?? '')
    await shelf.store.finish(`making/${one.fileId}.${name}`, `masters/${name}`)
    expect((await put('film', facts, json)).status).toBe(200)
    expect(await file(one.id)).toMatchObject({ status: 'success', size: content.length, duration: 2 })
    expect(sha(shelf.content(`masters/${masters()[0]}`))).toBe(sha(content))
    await eventually(() => uploads().length === 0)
    // Deletion: hidden immediately; the file, the row and the picture follow, in whatever step a run was killed.
    await world.app.jobs.stop()
    await world.api(mediaFiles.remove, { ...own(), media_id: one.id }, { as: ann })
    expect((await world.api(mediaFiles.list, own(), { as: ann })).body.results.map(({ media_id }) => media_id)).toEqual(
      [other.id],
    )
    expect((await world.api(videos.limits, own(), { as: ann })).body.video_current).toBe(0)
    await shelf.store.remove(`masters/${name}`)
    await world.app.jobs.runDue(['media.clean'])
    expect([
      masters(),
      (await world.app.db.selectFrom('media_files').select('id').execute()).map(({ id }) => id),
    ]).toEqual([[], [other.id]])
    expect(await world.app.db.selectFrom('files').select('name').execute()).toEqual([])
    node.socket.terminate()
  },
)

test.skipIf(!hasPrograms).each(storeKinds)(
  'the weekly comparison removes files without rows after a day, and names films without files (%s)',
  async (store) => {
    await start(store)
    await begin()
    const { id } = await ready()
    const [name = ''] = masters()
    const old = new Date(Date.now() - 25 * 3_600_000)
    const orphan = (path: string, isOld: boolean) => {
      shelf.write(path, Buffer.from('x'))
      if (isOld) shelf.age(path, old)
    }
    for (const folder of ['masters', 'uploads', 'making']) {
      orphan(`${folder}/${'a'.repeat(32)}.mp4`, true)
      orphan(`${folder}/${'b'.repeat(32)}.mp4`, false)
    }
    shelf.age(`masters/${name}`, old)
    const compare = () => reconcile(world.services, shelf.store, async () => undefined)
    await compare()
    expect(masters().toSorted()).toEqual([name, `${'b'.repeat(32)}.mp4`].toSorted())
    expect([uploads(), shelf.files('making')]).toEqual([[`${'b'.repeat(32)}.mp4`], [`${'b'.repeat(32)}.mp4`]])
    const master = shelf.content(`masters/${name}`)
    shelf.remove(`masters/${name}`)
    await compare()
    expect(await file(id)).toMatchObject({ status: 'error', error: 'missing' })
    expect((await world.api(videos.limits, own(), { as: ann })).body.video_current).toBe(0)
    shelf.write(`masters/${name}`, master)
    await compare()
    expect(await file(id)).toMatchObject({ status: 'success' })
  },
)

test('a film that is ready is not reported as failed while its upload is removed', async () => {
  await start('folder')
  const { id } = await addSomeFilm(world.services, ann.projectId)
  const upload = { media_id: id, file_id: 'f'.repeat(32), date_touch: world.clock.now().toISOString() }
  await world.app.db.insertInto('media_uploads').values(upload).execute()
  await transaction(world.app.db, (trx) => scheduleJob(trx, prepareKind, id))
  await world.app.jobs.runDue(['media.prepare'])
  expect(published).toEqual([])
  expect(await file(id)).toMatchObject({ status: 'success' })
})

test.each(storeKinds)('recordings are videos with numbers of their own, and can be renamed (%s)', async (store) => {
  await start(store)
  const row = {
    project_id: ann.projectId,
    broadcast_id: null,
    node: 'away',
    name: 'n',
    file: '1/n.mp4',
    state: 'ready' as const,
  }
  await world.app.db
    .insertInto('recordings')
    .values({ ...row, id: 7, reason: null, bytes: 500, duration_ms: 90_000, date_create: '2026-03-01T10:00:00.000Z' })
    .execute()
  const id = recordingVideoBase + 7
  const listed = (await world.api(videos.list, own(), { as: ann })).body.results[0] ?? {}
  expect(listed).toMatchObject({ id, kind: 'recording', duration: 90, size: 500 })
  expect(listed).not.toHaveProperty('download')
  expect((await world.api(videos.download, { ...own(), id }, { as: ann })).error?.name).toBe('ServerAway')
  await world.api(videos.update, { ...own(), id, name: 'The final' }, { as: ann })
  expect((await world.api(videos.get, { ...own(), id }, { as: ann })).body.name).toBe('The final')
  const bob = await world.user('Bob')
  const foreign = await world.api(videos.get, { project_id: bob.projectId, id }, { as: bob })
  expect(foreign.error?.name).toBe('MediaNotFound')
  expect((await world.api(videos.remove, { ...own(), id }, { as: ann })).status).toBe(201)
  expect((await world.api(videos.list, own(), { as: ann })).body.total).toBe(0)
})
