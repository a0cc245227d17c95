// Preview of a project on air: video through the service, and a still.
import type { Message } from '#server/relay/rtmp/message.ts'
import { readFileSync, rmSync } from 'node:fs'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { members } from '#contract/areas/projects/members.ts'
import type { Encoder } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader, interframe, stream } from '#server/relay/testing/frames.ts'
import { folder, hasPrograms, sample } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { encoderOf, nodeOf, stopOnAir } from '#server/app/testing/relay-node.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let url: string
let node: RelayNode | undefined
let encoder: Encoder | undefined
const requests: ClientRequest[] = []

const dir = folder()
let source: Message[] = []
beforeAll(async () => {
  if (hasPrograms) source = new FlvReader().read(readFileSync(await sample(dir, 2)))
})
afterAll(() => rmSync(dir, { recursive: true }))

beforeEach(async () => {
  // The checks of rights at intervals do not run: a write ends what it forbids.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  world = await testApp()
  vi.useRealTimers()
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
})
afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy()
  encoder?.end()
  await node?.close()
  await world.close()
})

const ask = async (as = ann) => (await world.api(preview.get, { project_id: ann.projectId }, { as })).body

/** A node with the project on air, which has sent two seconds. */
async function onAir(
  ffmpeg = '',
  sent: Iterable<Message> = [avcHeader(), aacHeader(), ...stream(0, 2)],
): Promise<void> {
  node = await nodeOf(world, url, { ffmpeg })
  encoder = await encoderOf(world, ann, node)
  encoder.send(...sent)
}

/** Begins to look. @returns what arrives */
async function look(path: string, ticket: string) {
  const request = get(url + path, { headers: { authorization: `Preview ${ticket}` }, agent: false })
  requests.push(request)
  const answer = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
  const got: Message[] = []
  let ended = false
  const reader = new FlvReader()
  answer.on('data', (bytes: Buffer) => answer.statusCode === 200 && got.push(...reader.read(bytes)))
  answer.on('error', () => undefined)
  answer.on('close', () => (ended = true))
  return { answer, got, ended: () => ended, leave: () => request.destroy() }
}
const firstOf = (got: readonly Message[]) => got.slice(0, 3).map(({ type, payload }) => [type, payload[0], payload[1]])
/** Headers of both tracks, and a keyframe. */
const beginning = [
  [9, 0x17, 0],
  [8, 0xaf, 0],
  [9, 0x17, 1],
]

test('sends headers and the frames since the last keyframe immediately, then new frames', async () => {
  await onAir()
  const { stream_path, ticket, reason } = await ask()
  expect(reason).toBe(null)
  const one = await look(stream_path ?? '', ticket)
  expect(one.answer.headers['content-type']).toBe('video/x-flv')
  expect(one.answer.headers['access-control-allow-origin']).toBe('*')
  await until(() => one.got.length >= 52)
  expect(firstOf(one.got)).toEqual(beginning)
  const two = await look(stream_path ?? '', ticket)
  await until(() => two.got.length >= 52)
  expect(firstOf(two.got)).toEqual(beginning)
  encoder?.send(interframe(2000))
  const last = (got: readonly Message[]) => got.at(-1)?.timestamp
  await until(() => last(one.got) === 2000 && last(two.got) === 2000)
  one.leave()
  encoder?.send(interframe(2040))
  await until(() => last(two.got) === 2040)
})

test('a ticket is good for one project, one minute, and as long as its owner has the right', async () => {
  await onAir()
  const { stream_path, ticket } = await ask()
  const bob = await world.user('Bob')
  expect((await world.api(preview.get, { project_id: ann.projectId }, { as: bob })).status).toBe(403)
  const other = (await world.api(preview.get, { project_id: bob.projectId }, { as: bob })).body
  expect(other).toMatchObject({ reason: 'off_air', stream_path: null, poster_reason: 'off_air' })
  for (const wrong of ['', 'x', other.ticket, ann.accessToken])
    expect((await look(stream_path ?? '', wrong)).answer.statusCode).toBe(401)
  world.clock.advance(61_000)
  expect((await look(stream_path ?? '', ticket)).answer.statusCode).toBe(401)

  await world.join(bob, ann.projectId, 0)
  const his = (await ask(bob)).ticket
  const open = await look(stream_path ?? '', his)
  await until(() => open.got.length > 0)
  const still = async (by: string) => {
    const { status } = await fetch(`${url}/preview/${ann.projectId}.jpg`, {
      headers: { authorization: `Preview ${by}` },
    })
    return status
  }
  expect(await still(his)).toBe(404)
  await world.api(members.del, { project_id: ann.projectId, user_id: bob.id }, { as: ann })
  expect((await look(stream_path ?? '', his)).answer.statusCode).toBe(401)
  expect(await still(his)).toBe(401)
  await until(() => open.ended())

  const carl = await world.user('Carl')
  await world.join(carl, ann.projectId, 0)
  const signedOut = await look(stream_path ?? '', (await ask(carl)).ticket)
  await until(() => signedOut.got.length > 0)
  await world.api(auth.logout, { refresh: carl.refreshToken })
  await until(() => signedOut.ended())

  const late = (await ask()).ticket
  await world.api(auth.logout, { refresh: ann.refreshToken })
  expect((await look(stream_path ?? '', late)).answer.statusCode).toBe(401)
})

test('the picture ends with the broadcast, and there is none where nothing is on air', async () => {
  await onAir()
  const { stream_path, ticket } = await ask()
  const one = await look(stream_path ?? '', ticket)
  await until(() => one.got.length > 0)
  await stopOnAir(world, ann)
  await until(() => one.ended())
  await until(() => world.services.relay.previewSources(ann.projectId) === null)
  expect(await ask()).toMatchObject({ stream_path: null, reason: 'off_air' })
  expect((await look(stream_path ?? '', ticket)).answer.statusCode).toBe(503)
})

test('without ffmpeg there is no still, and the answer says why', async () => {
  await onAir()
  expect(await ask()).toMatchObject({ poster_path: null, poster_reason: 'no_ffmpeg' })
})

test.skipIf(!hasPrograms)('with ffmpeg there is a still, which is fetched once', async () => {
  await onAir('ffmpeg', source)
  await until(() => world.services.relay.previewSources(ann.projectId)?.poster)
  const { poster_path, poster_at, ticket } = await ask()
  expect(Date.parse(poster_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  const headers = { authorization: `Preview ${ticket}` }
  const still = await fetch(url + poster_path, { headers })
  expect(still.headers.get('content-type')).toBe('image/jpeg')
  const bytes = Buffer.from(await still.arrayBuffer())
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  const again = await fetch(url + poster_path, {
    headers: { ...headers, 'if-none-match': still.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  expect((await fetch(url + poster_path)).status).toBe(401)
})
