// Sharing a channel with another project: what it sees and may do, changing and taking away, over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { access } from '#contract/areas/channels/access.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites } from '#contract/areas/channels/invites.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { history } from '#contract/areas/projects/history.ts'
import { maskedSecret } from '#contract/entities/channel.ts'
import type { ChannelRight } from '#contract/entities/roles.ts'
import { newChannel, someKey } from '#server/testing/channels.ts'
import { acceptLink, inviteByLink, inviteProject, sharedPair, sharingPair } from '#server/testing/sharing.ts'
import { teamOf } from '#server/testing/team.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const actionsOf = async (as: Person) =>
  (await world.api(history.list, { project_id: as.projectId }, { as })).body.results.map(({ action }) => action)

test('shows the inviting project to a project invited by id, and adds the channel when it accepts', async () => {
  const both = await sharingPair(world)
  const { ann, bob, place } = both
  const { body: made } = await inviteProject(world, both)
  expect(made).toMatchObject({ to_project_id: bob.projectId, to_project_: { name: 'Bob' }, secret: '', reject: false })

  const mine = { project_id: bob.projectId }
  const { there } = both
  expect((await world.api(channels.get, there, { as: bob })).status).toBe(403)
  const received = await world.api(invites.received, mine, { as: bob })
  expect(received.body.results).toMatchObject([
    { channel_: { name: 'Main', type: 'youtube' }, from_project_: { name: 'Ann' }, access_type: 1 },
  ])
  expect((await world.api(invites.getForProject, there, { as: bob })).body.project_channel_invite_id).toBe(
    made.project_channel_invite_id,
  )
  expect((await world.api(invites.acceptForProject, there, { as: bob })).status).toBe(200)
  // The response was lost, and the browser retries.
  expect((await world.api(invites.acceptForProject, there, { as: bob })).status).toBe(200)
  expect((await world.api(invites.received, mine, { as: bob })).body.results).toEqual([])

  const { body: channel } = await world.api(channels.get, there, { as: bob })
  expect(channel).toMatchObject({ name: 'Main', usageType: 1, guestRights: 1, active: false, stream_key: maskedSecret })
  expect(JSON.stringify(channel)).not.toContain(someKey)
  const { body: all } = await world.api(access.list, place, { as: ann })
  expect(all.results).toMatchObject([
    { project_id: ann.projectId, access_type: 2, usageType: 0, owner_id: ann.projectId },
    { project_id: bob.projectId, access_type: 1, usageType: 1, active: 0, project_: { name: 'Bob' } },
  ])
})

test('what a project may do is what it was given: 1 switches it, 0 only looks', async () => {
  const { ann, bob, channelId, place, there } = await sharedPair(world, 1)
  const set = (status: boolean) =>
    world.api(channels.setStatus, { channel_id: channelId, status, project_id: bob.projectId }, { as: bob })
  expect((await set(true)).status).toBe(200)
  expect((await world.api(settings.setName, { ...there, name: 'Other' }, { as: bob })).status).toBe(403)

  const change = (access_type: ChannelRight) =>
    world.api(access.change, { ...place, to_project_id: bob.projectId, access_type }, { as: ann })
  expect((await change(0)).body).toEqual({ success: true })
  // No viewer could switch it off.
  expect((await world.api(channels.get, there, { as: bob })).body).toMatchObject({ active: false, access_type: 0 })
  expect((await set(true)).status).toBe(403)
  expect((await change(2)).error?.name).toBe('OneOwner')
  expect((await change(1)).status).toBe(200)
  expect((await set(true)).status).toBe(200)
})

test('removes access immediately, also from a channel that is switched on', async () => {
  const { ann, bob, channelId, place, there } = await sharedPair(world, 1)
  await world.api(channels.setStatus, { channel_id: channelId, status: true, project_id: bob.projectId }, { as: bob })
  const del = () => world.api(access.del, { ...place, target_project_id: bob.projectId }, { as: ann })
  expect((await del()).body).toEqual({ success: true })
  expect((await del()).error?.name).toBe('NotShared')
  expect((await world.api(channels.get, there, { as: bob })).status).toBe(403)
  const { body } = await world.api(channels.search, { project_id: bob.projectId }, { as: bob })
  expect(body.total).toBe(0)
  // Neither the old invitation nor its acceptance is a way back.
  expect((await world.api(invites.acceptForProject, there, { as: bob })).error?.name).toBe('InviteRejected')
})

test('the owner keeps its channel; another project may let go of it', async () => {
  const { ann, bob, place, there } = await sharedPair(world, 0)
  const own = await world.api(access.del, { ...place, target_project_id: ann.projectId }, { as: ann })
  expect(own.error?.name).toBe('OwnerStays')
  const changed = await world.api(
    access.change,
    { ...place, to_project_id: ann.projectId, access_type: 0 },
    { as: ann },
  )
  expect(changed.error?.name).toBe('OwnerStays')
  // A guest may not remove the access of another guest.
  expect((await world.api(access.del, { ...there, target_project_id: ann.projectId }, { as: bob })).status).toBe(403)
  expect((await world.api(access.del, { ...there, target_project_id: bob.projectId }, { as: bob })).status).toBe(200)
  expect((await world.api(access.list, place, { as: ann })).body.results).toHaveLength(1)
})

test('handing over leaves one owner, and takes the key and open invitations along', async () => {
  const both = await sharedPair(world, 1)
  const { ann, bob, channelId, place, there } = both
  const open = await inviteByLink(world, both)
  const give = (to: number) => world.api(access.transferOwner, { ...place, to_project_id: to }, { as: ann })
  const stranger = await world.user('Eve')
  expect((await give(stranger.projectId)).error?.name).toBe('NotShared')
  expect((await give(ann.projectId)).error?.name).toBe('OwnerStays')
  expect((await give(bob.projectId)).body).toEqual({ success: true })

  const { body } = await world.api(access.list, there, { as: bob })
  expect(body.results.map(({ project_id, access_type }) => [project_id, access_type])).toEqual([
    [ann.projectId, 1],
    [bob.projectId, 2],
  ])
  expect((await world.api(channels.get, there, { as: bob })).body.stream_key).toBe(someKey)
  expect((await world.api(channels.get, place, { as: ann })).body.stream_key).toBe(maskedSecret)
  expect((await give(bob.projectId)).status).toBe(403)
  expect((await acceptLink(world, stranger, channelId, open.secret)).error?.name).toBe('InviteRejected')
})

test('leaves one owner after two concurrent transfers', async () => {
  const { ann, bob, channelId, place } = await sharedPair(world, 1)
  const eve = await world.user('Eve')
  const { secret } = await inviteByLink(world, { ann, place })
  await acceptLink(world, eve, channelId, secret)
  const replica = await world.replica()
  const answers = await Promise.all([
    world.api(access.transferOwner, { ...place, to_project_id: bob.projectId }, { as: ann }),
    world.api(access.transferOwner, { ...place, to_project_id: eve.projectId }, { as: ann, through: replica }),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  const links = await world.app.db
    .selectFrom('project_channels')
    .select('access_type')
    .where('channel_id', '=', channelId)
    .execute()
  expect(links.filter(({ access_type }) => access_type === 2)).toHaveLength(1)
})

test('only owners of the owning project share; guests see the owner and themselves', async () => {
  const { projectId, owner, editor, viewer, stranger } = await teamOf(world)
  const channelId = await newChannel(world, owner, { projectId })
  const place = { project_id: projectId, channel_id: channelId }
  for (const as of [editor, viewer, stranger]) {
    expect((await world.api(invites.addLink, { ...place, access_type: 1 }, { as })).status).toBe(403)
    expect((await world.api(invites.list, place, { as })).status).toBe(403)
    const target = { ...place, to_project_id: stranger.projectId }
    expect((await world.api(access.change, { ...target, access_type: 1 }, { as })).status).toBe(403)
    expect((await world.api(access.transferOwner, target, { as })).status).toBe(403)
    const del = { ...place, target_project_id: stranger.projectId }
    expect((await world.api(access.del, del, { as })).status).toBe(403)
  }
  expect((await world.api(access.list, place, { as: viewer })).status).toBe(200)
  expect((await world.api(access.list, place, { as: stranger })).status).toBe(403)

  for (const guest of [stranger, await world.user('Zoe')]) {
    const { body } = await world.api(invites.addLink, { ...place, access_type: 1 }, { as: owner })
    await acceptLink(world, guest, channelId, body.secret)
  }
  const there = { project_id: stranger.projectId, channel_id: channelId }
  const seen = (await world.api(access.list, there, { as: stranger })).body.results
  expect(seen.map(({ project_id }) => project_id)).toEqual([projectId, stranger.projectId])
  expect((await world.api(access.list, place, { as: viewer })).body.results).toHaveLength(3)
  // Owners there own their project, not the channel.
  expect((await world.api(invites.addLink, { ...there, access_type: 0 }, { as: stranger })).status).toBe(403)
})

test('both projects read in their history what happened', async () => {
  const { ann, bob, place, there } = await sharedPair(world, 1)
  await world.api(access.change, { ...place, to_project_id: bob.projectId, access_type: 0 }, { as: ann })
  await world.api(channels.remove, there, { as: bob })
  const common = [
    'project_channel_del',
    'project_channel_change',
    'project_channel_add',
    'project_channel_invite_accept',
  ]
  expect((await actionsOf(bob)).slice(0, 4)).toEqual(common)
  expect((await actionsOf(ann)).slice(0, 5)).toEqual([...common, 'project_channel_invite_add'])
  const { body } = await world.api(history.list, { project_id: bob.projectId }, { as: bob })
  expect(body.results[1]?.details).toMatchObject({ name: 'Main', project: 'Ann', from: 1, to: 0 })
})
