// Publications of writes: to the projects that each operation changes, and to no others.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { auth } from '#contract/areas/account/auth.ts'
import { profile } from '#contract/areas/account/profile.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { settings as account } from '#contract/areas/account/settings.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { type Operation, type Schema, write } from '#contract/core/operation.ts'
import { InProject, Success } from '#contract/core/wire.ts'
import { operations } from '#contract/index.ts'
import type { Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import { type SharingPair, sharedPair } from '#server/testing/sharing.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { createWritePublisher, publishWrite } from './write-publisher.ts'

let world: World
/** Ann's project has a channel, which Bob's project shares. */
let both: SharingPair
let eve: number

beforeAll(async () => {
  world = await testApp()
  both = await sharedPair(world)
  eve = (await world.user('Eve')).projectId
})
afterAll(() => world.close())

function listening() {
  const published: { readonly about: Channel; readonly data: Publication }[] = []
  let rechecks = 0
  const publish = (about: Channel, data: Publication) => void published.push({ about, data })
  const services = {
    ...world.services,
    realtime: { publish, isWatched: () => true, watch: () => undefined, recheck: () => void rechecks++ },
  }
  return { services, published, rechecks: () => rechecks }
}

/** Publishes a write. @returns publications in the project's own channel and in its live channel, by project */
async function publishedAfter(op: Operation, input: object, projectId: number | null) {
  const { services, published } = listening()
  await publishWrite(services, op, input, projectId)
  return published.map(({ about, data }) => [about.type, about.id, data])
}

const changed = (id: number, { id: operation, stale }: Operation) => [
  'project_live',
  id,
  { event: 'changed', payload: { operation, stale } },
]
const updated = (id: number) => ['project', id, { event: 'project-update', payload: {} }]

test.each(['vk', 'ok'] as const)('the id of a place at %s names no channel of another project', async (platform) => {
  const op = addChannel[platform]
  for (const channel_id of [String(both.channelId), '1234567890123', '-321', 'x']) {
    const input = { project_id: eve, account_id: '1', channel_id }
    expect(await publishedAfter(op, input, eve)).toEqual([changed(eve, op), updated(eve)])
  }
})

test('a write of a shared channel is published to each project that has it', async () => {
  const [ann, bob] = [both.ann.projectId, both.bob.projectId]
  const op = settings.setName
  const all = [changed(bob, op), updated(bob), changed(ann, op), updated(ann)]
  expect(await publishedAfter(op, { ...both.there, name: 'Other' }, bob)).toEqual(all)
  // Published without a project.
  const { setStatus } = channels
  const input = { channel_id: both.channelId, status: true }
  expect(await publishedAfter(setStatus, input, null)).toHaveLength(4)
})

test('a write that takes a channel out of a project is published to this project', async () => {
  const op = channels.remove
  expect(await publishedAfter(op, { project_id: eve, channel_id: 2_000_000_000 }, eve)).toEqual([
    changed(eve, op),
    updated(eve),
  ])
})

test('a failure of the database withholds nothing from the project of the call', async () => {
  const gone = await testApp()
  const { services, published } = listening()
  const { id: operation, stale } = settings.setName
  await gone.close()
  const failing = { ...services, db: gone.app.db }
  const input = { project_id: eve, channel_id: both.channelId, name: 'x' }
  await expect(publishWrite(failing, settings.setName, input, eve)).rejects.toThrow(
    /driver|closed|destroyed|ended|pool/i,
  )
  expect(published.map(({ data }) => data)).toContainEqual({ event: 'changed', payload: { operation, stale } })
})

test('writes of broadcasts are published without an update of the project, and to this project alone', async () => {
  const retry = { project_id: eve, broadcast_id: 1, channel_id: both.channelId }
  expect(await publishedAfter(broadcasts.retry, retry, eve)).toEqual([changed(eve, broadcasts.retry)])
  expect(await publishedAfter(recordings.remove, { project_id: eve, id: 1 }, eve)).toEqual([
    changed(eve, recordings.remove),
  ])
})

test.each([
  profile.update,
  account.language,
  sessions.close,
  channels.test,
  telegramChat.init,
  projects.select,
  paySystems.create,
])('$id changes nothing that pages show', async (op) => {
  expect(await publishedAfter(op, { project_id: eve, channel_id: both.channelId, id: eve }, eve)).toEqual([])
})

test.each([sessions.close, members.leave, account.password, auth.logout])('$id rechecks connections', (op) => {
  const { services, rechecks } = listening()
  createWritePublisher(services)(op, {}, null)
  expect(rechecks()).toBe(1)
})

/** Returns whether the parameter `channel_id` of an operation accepts a value. */
const takes = ({ input }: Operation, value: unknown): boolean => {
  const { shape } = input as { readonly shape?: { readonly channel_id?: Schema } }
  return shape?.channel_id?.safeParse(value).success ?? false
}

test('each write that names a channel by our id announces it, with three exceptions', () => {
  const writes = operations.filter(({ kind }) => kind === 'write')
  const byNumber = writes.filter((op) => takes(op, 1))
  expect(byNumber.length).toBeGreaterThan(30)
  const others = byNumber.filter(({ announces }) => announces !== 'channel')
  expect(others).toEqual([broadcasts.retry, channels.test, telegramChat.init])
  expect(writes.filter((op) => op.announces === 'channel' && !byNumber.includes(op))).toEqual([])
})

test('an operation with the id of a platform cannot announce a channel', () => {
  const input = z.extend(InProject, { channel_id: z.string() })
  const facts = {
    name: 'Any',
    input,
    output: Success,
    auth: 'editor',
    scope: 'channels:write',
    provenance: 'decided',
  } as const
  // @ts-expect-error: the channel id of the input is a text
  write('POST', 'any', { ...facts, announces: 'channel' })
  // @ts-expect-error: without a role there is no project
  write('POST', 'any', { ...facts, auth: 'session', announces: 'project' })
  expect(write('POST', 'any', { ...facts, announces: 'project' }).spec.announces).toBe('project')
})
