// Channels over HTTP: roles, switching, removing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { maskedSecret } from '#contract/entities/channel.ts'
import { newChannel, share, someAddress, someKey } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const search = (as: Person, projectId = as.projectId, more: object = {}) =>
  world.api(channels.search, { project_id: projectId, ...more }, { as })
const get = (as: Person, id: number, projectId = as.projectId) =>
  world.api(channels.get, { project_id: projectId, channel_id: id }, { as })
const switchTo = (as: Person, id: number, status: boolean, more: object = {}) =>
  world.api(channels.setStatus, { channel_id: id, status, ...more }, { as })

/** Ann with a viewer and an editor of her project, and Bob with a project of his own. */
async function people() {
  const [ann, viewer, editor, bob] = [
    await world.user('Ann'),
    await world.user('Viewer'),
    await world.user('Editor'),
    await world.user('Bob'),
  ]
  await world.join(viewer, ann.projectId, 0)
  await world.join(editor, ann.projectId, 1)
  return { ann, viewer, editor, bob }
}

test('platforms are known to everybody, with addresses so that a person pastes only the key', async () => {
  const { body } = await world.api(platforms.list, {})
  expect(body.results.find(({ type }) => type === 'twitch')).toMatchObject({
    id: 2,
    rtmp_key: 1,
    own_url: 0,
    ingests: [{ url: 'rtmp://live.twitch.tv/app' }, {}],
  })
})

test('returns a channel as it was added, with the key for editors only', async () => {
  const { ann, viewer, editor, bob } = await people()
  const id = await newChannel(world, ann, { name: 'First' })
  expect((await get(editor, id, ann.projectId)).body).toMatchObject({
    group_id: id,
    name: 'First',
    type: 'youtube',
    active: true,
    live: false,
    status: 'offline',
    usageType: 0,
    guestsNum: 0,
    stream_key: someKey,
    ingress_url: someAddress,
    ingress_protocol: 'rtmp',
    rtmp: { protocol: 'rtmp', domain: 'ingest.example.com', port: null, name: 'live', path: 'live' },
    access_type: 1,
    platform: { title: 'YouTube', edit_name: 1 },
  })
  expect((await get(viewer, id, ann.projectId)).body).toMatchObject({ stream_key: maskedSecret, access_type: 0 })
  expect((await get(bob, id, ann.projectId)).status).toBe(403)
  expect((await get(bob, id)).status).toBe(403)
  expect((await search(ann)).body.results).toMatchObject([{ group_id: id, stream_key: maskedSecret }])
  expect((await search(bob, ann.projectId)).status).toBe(403)
})

test('secrets in the query of an address are treated like the key', async () => {
  const { ann, viewer } = await people()
  const input = { project_id: ann.projectId, type: 'fb' as const, name: 'With token', stream_key: ' k ' }
  const { body } = await world.api(addChannel.any, { ...input, rtmp_url: `${someAddress}?token=t0ken` }, { as: ann })
  const { body: own } = await get(ann, body.channel_id)
  expect(own).toMatchObject({
    stream_key: 'k',
    ingress_url: `${someAddress}?token=t0ken`,
    rtmp: { query: 'token=t0ken' },
  })
  expect(JSON.stringify((await get(viewer, body.channel_id, ann.projectId)).body)).not.toContain('t0ken')
  const kept = await world.app.db.selectFrom('channels').selectAll().where('id', '=', body.channel_id).execute()
  expect(JSON.stringify(kept)).not.toMatch(/t0ken|"k"/)
  expect(world.logged.join('')).not.toContain('t0ken')
})

describe('the list', () => {
  test('is filtered by kind, platform and a part of the name, page by page', async () => {
    const { ann, bob } = await people()
    await newChannel(world, ann, { name: 'Игры Дома' })
    await newChannel(world, ann, { name: '100% live_1' })
    const shared = await newChannel(world, bob, { name: 'Of Bob' })
    await share(world, shared, ann.projectId, 1)
    const names = async (more: object) => (await search(ann, ann.projectId, more)).body.results.map(({ name }) => name)
    expect(await names({})).toEqual(['Игры Дома', '100% live_1', 'Of Bob'])
    expect(await names({ type: 'my' })).toEqual(['Игры Дома', '100% live_1'])
    expect(await names({ type: 'available' })).toEqual(['Of Bob'])
    expect(await names({ type: 'active' })).toEqual(['Игры Дома', '100% live_1'])
    expect(await names({ name: 'дома' })).toEqual(['Игры Дома'])
    expect(await names({ name: '0% L' })).toEqual(['100% live_1'])
    expect(await names({ name: '_1' })).toEqual(['100% live_1'])
    expect(await names({ name: '%' })).toEqual(['100% live_1'])
    expect(await names({ platform: 'twitch,YouTube' })).toHaveLength(3)
    expect(await names({ platform: 'kick' })).toEqual([])
    const page = await search(ann, ann.projectId, { limit: 1, offset: 1 })
    expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1, results: [{ name: '100% live_1' }] })
    expect(page.body.platforms).toEqual([{ id: 4, type: 'youtube', title: 'YouTube', edit_name: 1 }])
    expect((await search(ann, ann.projectId, { name: 'eleven char' })).status).toBe(400)
  })

  test('in short has every channel', async () => {
    const { ann, viewer } = await people()
    const id = await newChannel(world, ann)
    const { body } = await world.api(channels.short, { project_id: ann.projectId }, { as: viewer })
    expect(body.results).toEqual([{ channel_id: id, type: 'youtube', name: 'Channel', photo_default: '' }])
  })
})

describe('switching', () => {
  test('is for editors', async () => {
    const { ann, viewer, editor, bob } = await people()
    const id = await newChannel(world, ann)
    expect((await switchTo(viewer, id, false)).status).toBe(403)
    expect((await switchTo(bob, id, false)).status).toBe(403)
    expect((await switchTo(editor, id, false)).status).toBe(200)
    expect((await switchTo(ann, 2_147_483_647, false)).status).toBe(403)
    expect((await get(ann, id)).body.active).toBe(false)
  })

  test('is each project’s own: named, or the one looked at last, or the owner’s', async () => {
    const { ann, bob } = await people()
    const id = await newChannel(world, ann)
    await share(world, id, bob.projectId, 1)
    expect((await switchTo(bob, id, true)).status).toBe(200)
    expect((await switchTo(bob, id, true, { project_id: ann.projectId })).status).toBe(403)
    await world.join(bob, ann.projectId, 1)
    expect((await switchTo(bob, id, false, { project_id: ann.projectId })).status).toBe(200)
    expect((await get(bob, id)).body.active).toBe(true)
    expect((await get(ann, id)).body.active).toBe(false)
    await switchTo(bob, id, false)
    expect((await get(bob, id)).body.active).toBe(false)
  })

  test('a channel that a project may only look at is not for it to switch, rename or read the key of', async () => {
    const { ann, bob } = await people()
    const id = await newChannel(world, ann)
    await share(world, id, bob.projectId, 0)
    expect((await switchTo(bob, id, true)).status).toBe(403)
    const place = { project_id: bob.projectId, channel_id: id }
    expect((await world.api(settings.setName, { ...place, name: 'Mine now' }, { as: bob })).status).toBe(403)
    expect((await world.api(channels.setDelay, { ...place, delay: 5 }, { as: bob })).status).toBe(403)
    expect((await get(bob, id)).body).toMatchObject({
      stream_key: maskedSecret,
      usageType: 1,
      guestRights: 0,
      access_type: 0,
    })
  })
})

describe('removing', () => {
  test('from the owner removes it for everybody, from a guest only there', async () => {
    const { ann, viewer, bob } = await people()
    const id = await newChannel(world, ann)
    await share(world, id, bob.projectId, 1)
    const remove = (as: Person, projectId = as.projectId) =>
      world.api(channels.remove, { project_id: projectId, channel_id: id }, { as })
    expect((await get(ann, id)).body.guestsNum).toBe(1)
    expect((await remove(viewer, ann.projectId)).status).toBe(403)
    expect((await remove(bob, ann.projectId)).status).toBe(403)
    expect((await remove(bob)).status).toBe(201)
    expect((await get(bob, id)).status).toBe(403)
    expect((await get(ann, id)).body.guestsNum).toBe(0)
    await share(world, id, bob.projectId, 1)
    expect((await remove(ann)).status).toBe(201)
    expect((await get(bob, id)).status).toBe(403)
    expect((await remove(ann)).status).toBe(403)
  })
})

test('every change is in the history of the project, without the key', async () => {
  const { ann } = await people()
  const id = await newChannel(world, ann, { name: 'Noted' })
  await switchTo(ann, id, false)
  const place = { project_id: ann.projectId, channel_id: id }
  await world.api(
    settings.setRtmp,
    { ...place, url: `${someAddress}2?q=s3cret`, stream_key: 's3cret-key' },
    { as: ann },
  )
  await world.api(channels.remove, place, { as: ann })
  const rows = await world.app.db
    .selectFrom('project_history')
    .select(['action', 'user_id', 'channel_id', 'details'])
    .where('project_id', '=', ann.projectId)
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual([
    'project_channel_add',
    'project_channel_change',
    'project_channel_change',
    'project_channel_del',
  ])
  expect(rows.every((row) => row.user_id === ann.id && row.channel_id === id)).toBe(true)
  expect(JSON.stringify(rows)).not.toContain('s3cret')
})
