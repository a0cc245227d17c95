// Release of projects that another node owns.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'
import { someConnection } from '#server/app/testing/node-socket.ts'
import type { NodeConnection } from './node-connection.ts'
import { createOwners, type Owners } from './owners.ts'

let world: World
let connection: NodeConnection
let sent: unknown[]
let owners: Owners
beforeEach(async () => {
  world = await testApp()
  ;({ connection, sent } = someConnection(new Map([[7, 2]])))
  const remote = { owns: () => false, send: () => undefined, announce: () => undefined } as never
  owners = createOwners(world.services, { connections: new Set([connection]), remote, announce: () => undefined })
})
afterEach(() => world.close())

test('keeps a project that the node owns again after it lost an older epoch', () => {
  owners.stop(connection, [{ projectId: 7, epoch: 1, isSending: true }])
  expect(sent).toMatchObject([{ type: 'stop', projectId: 7, epoch: 1 }])
  expect([...connection.projects.keys()]).toEqual([7])
})

test.each([2, undefined])('forgets a project that a node lost under epoch %s', (epoch) => {
  owners.stop(connection, [{ projectId: 7, epoch, isSending: true }])
  expect([...connection.projects.keys()]).toEqual([])
})
