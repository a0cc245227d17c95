// Nodes that lose a project, and what the service keeps of it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'
import type { Line } from './line.ts'
import { createOwners, type Owners } from './owners.ts'

let world: World
let line: Line
let sent: unknown[]
let owners: Owners
beforeEach(async () => {
  world = await testApp()
  sent = []
  line = {
    number: 1,
    idle: () => Promise.resolve(),
    node: 'first',
    told: new Map([[7, { epoch: 2, wanted: '', keyMark: null }]]),
    posters: new Map(),
    held: new Map(),
    ffmpeg: false,
    gone: new Promise<void>(() => undefined),
    send: (message) => void sent.push(message),
    end: () => undefined,
    fail: () => undefined,
  }
  const far = { owns: () => false, send: () => undefined, tell: () => undefined } as never
  owners = createOwners(world.services, { lines: new Set([line]), far, show: () => undefined })
})
afterEach(() => world.close())

test('keeps a project that a node got again after it lost an older epoch', () => {
  owners.stop(line, [{ projectId: 7, epoch: 1, isSending: true }])
  expect(sent).toMatchObject([{ type: 'stop', projectId: 7, epoch: 1 }])
  expect([...line.told.keys()]).toEqual([7])
})

test.each([2, undefined])('forgets a project that a node lost under epoch %s', (epoch) => {
  owners.stop(line, [{ projectId: 7, epoch, isSending: true }])
  expect([...line.told.keys()]).toEqual([])
})
