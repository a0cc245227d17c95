// Upgrade requests that the service refuses, from peers that misbehave.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'
import { peer, upgradeRequest, watchServer } from '#server/testing/peers.ts'

let world: World
let url: string
beforeAll(async () => {
  world = await testApp()
  url = (await world.app.listen()).url
})
afterAll(() => world.close())

const refused: readonly (readonly [path: string, status: number])[] = [
  ['/relay', 401],
  ['/relayX', 404],
  ['/relay?x', 404],
  ['/relay/', 404],
  ['/relay/media/x', 401],
  ['/relay/media/', 404],
  ['/connection/websocketX', 404],
  ['/connection/websocket/', 404],
  ['/', 404],
  ['/method/auth/me', 404],
]

test.each(refused)('refuses an upgrade of %s with %i and survives a reset', async (path, status) => {
  const server = watchServer()
  const one = await peer(url, upgradeRequest(path))
  await one.ended
  expect(one.text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  one.reset()
  await server.closed()
  expect(server.faults).toEqual([])
})

test('closes a refused upgrade although the peer keeps its end open', async () => {
  const server = watchServer()
  const peers = await Promise.all(refused.map(([path]) => peer(url, upgradeRequest(path))))
  await Promise.all(peers.map(({ ended }) => ended))
  await server.closed()
  expect(server.open.size).toBe(0)
  expect(server.faults).toEqual([])
})

test('closes broken handshakes', async () => {
  const server = watchServer()
  const handshake = upgradeRequest('/connection/websocket')
  const peers = await Promise.all(
    [
      handshake.replace('Version: 13', 'Version: 7'),
      handshake.replace(/Sec-WebSocket-Key.*\r\n/, ''),
      handshake.replace('GET', 'POST'),
      handshake.replace(': websocket', ': h2c'),
    ].map((request) => peer(url, request)),
  )
  for (const { ended, text } of peers) {
    await ended
    expect(text()).toMatch(/^HTTP\/1.1 400 /)
  }
  await server.closed()
  expect(server.faults).toEqual([])
})

test.each(['/connection/websocket', '/connection/websocket?format=json'])('opens %s', async (path) => {
  const one = await peer(url, upgradeRequest(path))
  await expect.poll(one.text).toMatch(/^HTTP\/1.1 101 /)
})
