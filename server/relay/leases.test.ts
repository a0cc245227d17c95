// The node's side of leases, with a manual clock.
import type { FromNode } from '#contract/relay/from-node.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLeases, type LeaseKeeper } from './leases.ts'

let live: { projectId: number; epoch: number; isSending: boolean; isOver: boolean }
let sent: FromNode[]
let leases: LeaseKeeper
let ended: { projectId: number; epoch: number }[]

beforeEach(() => {
  vi.useFakeTimers()
  live = { projectId: 7, epoch: 3, isSending: true, isOver: false }
  sent = []
  ended = []
  leases = keepLeases({
    lives: () => (live.isOver ? [] : [{ ...live, busy: () => live.isSending, end: () => void (live.isOver = true) }]),
    ended: () => ended,
    send: (message) => sent.push(message),
  })
})
afterEach(() => {
  leases.close()
  vi.useRealTimers()
})

const lease = (isSending: boolean) => ({ type: 'leases', leases: [{ projectId: 7, epoch: 3, isSending }] })

test('renews every 5 s, and reports an encoder that stops sending immediately', () => {
  leases.greet()
  vi.advanceTimersByTime(10_000)
  expect(sent).toEqual([])
  leases.welcome(true)
  expect(sent.splice(0)).toEqual([lease(true)])
  vi.advanceTimersByTime(10_000)
  expect(sent.splice(0)).toEqual([lease(true), lease(true)])
  live.isSending = false
  leases.check()
  expect(sent.splice(0)).toEqual([lease(false)])
  live.isOver = true
  leases.check()
  expect(sent.splice(0)).toEqual([lease(false)])
  leases.check()
  expect(sent).toEqual([])
})

test('sends projects in hello whose end the service has not received', () => {
  live.isOver = true
  ended = [{ projectId: 7, epoch: 2 }]
  expect(leases.greet()).toEqual([{ projectId: 7, epoch: 2, isSending: false }])
  live.isOver = false
  expect(leases.greet()).toEqual([{ projectId: 7, epoch: 3, isSending: true }])
})

test('sends no leases to a service without lease support', () => {
  leases.greet()
  leases.welcome(false)
  vi.advanceTimersByTime(60_000)
  expect(sent).toEqual([])
})

test('gives a project up after 10 s without service and encoder, if other nodes exist', () => {
  leases.renewed(true)
  vi.advanceTimersByTime(60_000)
  expect(live.isOver).toBe(false)
  live.isSending = false
  vi.advanceTimersByTime(9_000)
  expect(live.isOver).toBe(false)
  vi.advanceTimersByTime(2_000)
  expect(live.isOver).toBe(true)
})

test.each([
  ['the service answers', () => setInterval(() => leases.renewed(true), 5_000)],
  ['there is no other node', () => leases.renewed(false)],
])('keeps a project without an encoder while %s', (_when, begin) => {
  begin()
  live.isSending = false
  vi.advanceTimersByTime(60_000)
  expect(live.isOver).toBe(false)
})
