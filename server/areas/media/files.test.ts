// Media files of a project: upload, choice, removal, limits and hostile files; and what the relay receives.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { mediaLimits } from '#contract/entities/media.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { history as projectHistory } from '#contract/areas/projects/history.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { readPicture } from '#server/domain/account/pictures.ts'
import { somePicture } from '#server/testing/pictures.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
})
afterEach(() => world.close())

const upload = (file: File = somePicture(), name = 'Back soon', as = ann) =>
  world.api(mediaFiles.upload, { project_id: ann.projectId, name, file }, { as })
const list = async () => (await world.api(mediaFiles.list, { project_id: ann.projectId }, { as: ann })).body.results
const choose = (media_id: number, type: 'lost' | 'pause' = 'lost') =>
  world.api(mediaFiles.set, { project_id: ann.projectId, media_id, type }, { as: ann })
const chosen = async () => {
  const { body } = await world.api(streamKeys.get, { project_id: ann.projectId }, { as: ann })
  return [body.lost_media_service_file_id, body.pause_media_service_file_id]
}
const slates = async () => (await readDesired(world.services, ann.projectId)).state.slates
const bytes = (...values: number[]) => new File([Uint8Array.from(values)], 'x.png', { type: 'image/png' })

test('an uploaded picture is listed, served, renamed, chosen for the relay and deleted with its choice', async () => {
  const { body } = await upload()
  expect(body).toMatchObject({
    name: 'Back soon',
    content_type: 'image/jpeg',
    size: 12,
    status: 'success',
    duration: 0,
  })
  const name = new URL(body.thumbnail).pathname.replace('/files/', '')
  for (const path of [`/files/${name}`, `/relay/files/${name}`]) {
    const answer = await world.app.inject(path)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
  }
  const of = { project_id: ann.projectId, media_id: body.media_id }
  await world.api(mediaFiles.update, { ...of, name: 'Pause' }, { as: ann })
  expect((await world.api(mediaFiles.get, of, { as: ann })).body.name).toBe('Pause')
  expect(await slates()).toEqual({})
  await choose(body.media_id)
  await choose(body.media_id, 'pause')
  expect(await chosen()).toEqual([body.media_id, body.media_id])
  expect(await slates()).toEqual({ lost: name, pause: name })
  await choose(0, 'pause')
  expect(await slates()).toEqual({ lost: name })
  const { body: history } = await world.api(projectHistory.list, { project_id: ann.projectId }, { as: ann })
  expect(history.results.map(({ action }) => action).slice(0, 3)).toEqual([
    'stream_pause_picture',
    'stream_pause_picture',
    'stream_lost_picture',
  ])
  expect((await world.api(mediaFiles.remove, of, { as: ann })).status).toBe(201)
  expect([await list(), await chosen(), await slates()]).toEqual([[], [null, null], {}])
  expect((await world.app.inject(`/files/${name}`)).statusCode).toBe(404)
})

test('a choice and a deletion change the desired state', async () => {
  const { media_id } = (await upload()).body
  const version = async () =>
    (
      await world.app.db
        .selectFrom('project_versions')
        .select('version')
        .where('project_id', '=', ann.projectId)
        .executeTakeFirst()
    )?.version ?? 0
  const before = await version()
  await choose(media_id)
  const after = await version()
  expect(after).toBeGreaterThan(before)
  await world.api(mediaFiles.remove, { project_id: ann.projectId, media_id }, { as: ann })
  expect(await version()).toBeGreaterThan(after)
})

test('refuses what is no picture, too large, too wide, or one too many', async () => {
  const errorOf = async (file: File) => (await upload(file)).error?.name
  expect(await errorOf(new File(['#EXTM3U\nfile:///etc/passwd'], 'x.png'))).toBe('PictureFormat')
  expect(await errorOf(new File(['<svg onload=alert(1)>'], 'x.png', { type: 'image/png' }))).toBe('PictureFormat')
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  expect(await errorOf(bytes(...png))).toBe('PictureFormat')
  expect(await errorOf(bytes(0xff, 0xd8, 0xff, 0xd9))).toBe('PictureFormat')
  // Another chunk where the size stands: decoders look for the header.
  const sides = [0, 0, 0, 64, 0, 0, 0, 64]
  expect(await errorOf(bytes(...png, 0, 0, 0, 13, ...Buffer.from('teXt'), ...sides))).toBe('PictureFormat')
  expect((await upload(bytes(...png, 0, 0, 0, 13, ...Buffer.from('IHDR'), ...sides))).status).toBe(201)
  // Each scan of a progressive JPEG decodes the whole picture.
  const scans = (count: number) => new File([somePicture(), ...Array(count).fill(Buffer.from([0xff, 0xda]))], 'x.jpg')
  expect(await errorOf(scans(101))).toBe('PictureFormat')
  expect((await upload(scans(100))).status).toBe(201)
  expect(await errorOf(somePicture(4_097, 10))).toBe('PictureTooLarge')
  expect(await errorOf(somePicture(10, 65_535))).toBe('PictureTooLarge')
  expect(await errorOf(somePicture(4_096, 4_096))).toBeUndefined()
  const padding = (size: number) => new File([somePicture(), new Uint8Array(size - 12)], 'x.jpg')
  expect((await upload(padding(mediaLimits.bytes + 1))).status).toBe(413)
  expect((await upload(padding(mediaLimits.bytes))).status).toBe(201)
  expect((await upload(somePicture(), ' ')).status).toBe(400)
  const all = await Promise.all(Array.from({ length: 30 }, () => upload()))
  expect(all.filter(({ status }) => status === 201)).toHaveLength(mediaLimits.files - 4)
  expect(all.find(({ error }) => error)?.error?.name).toBe('TooManyMedia')
})

test('a file of another project is unknown', async () => {
  const { media_id } = (await upload()).body
  const bob = await world.user('Bob')
  const of = { project_id: bob.projectId, media_id }
  expect((await world.api(mediaFiles.get, of, { as: bob })).error?.name).toBe('MediaNotFound')
  expect((await world.api(mediaFiles.set, { ...of, type: 'lost' }, { as: bob })).error?.name).toBe('MediaNotFound')
  expect((await world.api(mediaFiles.remove, of, { as: bob })).error?.name).toBe('MediaNotFound')
  expect((await world.api(mediaFiles.update, { ...of, name: 'x' }, { as: bob })).error?.name).toBe('MediaNotFound')
  expect(await list()).toHaveLength(1)
})

test('reads the size behind other parts of a JPEG, and ends with every mutated header', async () => {
  const read = (...values: number[]) => readPicture(bytes(...values))
  const frame = [0xff, 0xc2, 0, 17, 8, 1, 0, 2, 0, 3]
  expect(await read(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, ...frame)).toMatchObject({
    width: 512,
    height: 256,
  })
  for (let seed = 0; seed < 20_000; seed++) {
    const noise = Array.from({ length: 24 }, (_, at) => (Math.imul(seed * 31 + at, 2_654_435_761) >>> 24) & 0xff)
    const { width, height } = await read(0xff, 0xd8, 0xff, ...noise)
    expect(width >= 0 && height >= 0).toBe(true)
  }
})

test('a choice beside the deletion of its picture is made before it, or refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { media_id } = (await upload()).body
    const uses = ['lost', 'pause', 'lost', 'pause'] as const
    const [removed, ...answers] = await Promise.all([
      world.api(mediaFiles.remove, { project_id: ann.projectId, media_id }, { as: ann }),
      ...uses.map((use) => choose(media_id, use)),
    ])
    expect(removed.status).toBe(201)
    for (const { status, error } of answers) expect([201, 'MediaNotFound']).toContain(error?.name ?? status)
    expect([await chosen(), await slates()]).toEqual([[null, null], {}])
  }
  expect(await world.app.db.selectFrom('files').select('name').execute()).toEqual([])
})

test.each(['/files/', '/relay/files/'])('%s answers 404 for names that no file can have', async (folder) => {
  for (const name of ['%00', '%00.png', '..%2f..%2fetc%2fpasswd', '%F0%9F%98%80.jpg', 'x.png%00.jpg', '', 'a/b'])
    expect([name, (await world.app.inject(`${folder}${name}`)).statusCode]).toEqual([name, 404])
})
