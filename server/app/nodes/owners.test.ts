// Release of projects that another node owns.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'
import { emptyBuffer, type NodeConnection } from './node-connection.ts'
import { createOwners, type Owners } from './owners.ts'

let world: World
let connection: NodeConnection
let sent: unknown[]
let owners: Owners
beforeEach(async () => {
  world = await testApp()
  sent = []
  connection = {
    number: 1,
    version: 3,
    idle: () => Promise.resolve(),
    node: 'first',
    projects: new Map([[7, { epoch: 2, desired: '', keyMark: null }]]),
    posters: new Map(),
    samples: emptyBuffer(),
    run: (task) => void task(),
    parked: new Map(),
    reading: new Set(),
    ffmpeg: false,
    closed: new Promise<void>(() => undefined),
    send: (message) => void sent.push(message),
    end: () => undefined,
    fail: () => undefined,
  }
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
