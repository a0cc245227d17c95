// Results of address tests.
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person

beforeEach(async () => {
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  ann = await world.user()
})
afterEach(() => world.close())

const place = (channel_id: number) => ({ project_id: ann.projectId, channel_id })
const testOf = async (id: number) => (await world.api(channels.get, place(id), { as: ann })).body.test
const move = (id: number, url: string) => world.api(settings.setRtmp, { ...place(id), url }, { as: ann })

/** A port of this machine that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('keeps the result of a manual test until the address changes', async () => {
  const id = await newChannel(world, ann)
  expect(await testOf(id)).toBeNull()
  await move(id, `rtmp://127.0.0.1:${await closedPort()}/live`)
  const { body } = await world.api(channels.test, place(id), { as: ann })
  expect(body).toMatchObject({ reachable: false, reason: 'refused' })
  expect(await testOf(id)).toEqual({ reason: 'refused', date: world.clock.now().toISOString() })
  const url = 'rtmp://127.0.0.1:9/other'
  await world.api(channels.test, { project_id: ann.projectId, url }, { as: ann })
  expect(await testOf(id)).toMatchObject({ reason: 'refused' })
  await move(id, url)
  expect(await testOf(id)).toBeNull()
})

/** Starts a server that greets as RTMP servers do. @returns its port */
async function greeting(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * 1536)])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { readonly port: number }).port
}

test('a server that answers proves its address, not the key: a refused key stays refused', async () => {
  const id = await newChannel(world, ann)
  await move(id, `rtmp://127.0.0.1:${await greeting()}/live`)
  const probe = () => world.api(channels.test, place(id), { as: ann })
  expect((await probe()).body).toMatchObject({ reachable: true, reason: 'ok' })
  expect(await testOf(id)).toMatchObject({ reason: 'reachable' })
  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, id, 'rejected', { reason: 'publish-rejected' })
  expect((await probe()).body).toMatchObject({ reachable: true, reason: 'ok' })
  expect(await testOf(id)).toMatchObject({ reason: 'rejected' })
  await node.channel(ann.projectId, id, 'live')
  await probe()
  expect(await testOf(id)).toMatchObject({ reason: 'ok' })
})

test('records a broadcast as a test: live passes, refused fails', async () => {
  const [fine, refused] = [
    await newChannel(world, ann, { name: 'Fine' }),
    await newChannel(world, ann, { name: 'Refused' }),
  ]
  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, fine, 'connecting')
  expect(await testOf(fine)).toBeNull()
  await node.channel(ann.projectId, fine, 'live')
  await node.channel(ann.projectId, refused, 'rejected', { reason: 'publish-rejected' })
  expect(await testOf(fine)).toMatchObject({ reason: 'ok' })
  expect(await testOf(refused)).toMatchObject({ reason: 'rejected' })
})

test.each([
  ['closed-early', 'backoff', 'rejected'],
  ['publish-rejected', 'rejected', 'rejected'],
  ['forbidden', 'rejected', 'forbidden_address'],
] as const)('replaces a passed test when a broadcast fails with %s', async (reason, state, expected) => {
  const id = await newChannel(world, ann)
  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, id, 'live')
  await node.channel(ann.projectId, id, 'backoff', { reason: 'socket' })
  expect(await testOf(id)).toMatchObject({ reason: 'ok' })
  await node.channel(ann.projectId, id, state, { reason })
  expect(await testOf(id)).toMatchObject({ reason: expected })
})
