import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatEvent } from '#server/core/chat.ts'
import { createChatQueue } from './queue.ts'
import { messageEvent } from './testing/messages.ts'

const countOf = (events: readonly ChatEvent[]) =>
  events.reduce((sum, event) => sum + (event.is === 'skipped' ? event.count : 0), 0)

test('scenario 4: a flood keeps paid messages and deletions, and counts the others exactly', () => {
  const queue = createChatQueue()
  for (let at = 0; at < 10_000; at++) {
    if (at % 250 === 0) queue.push(messageEvent(`paid${at}`, { kind: 'paid' }))
    else if (at % 2_000 === 1) queue.push({ is: 'deleted', id: `${at}` })
    else queue.push(messageEvent(`${at}`))
  }
  expect(queue.size).toBeLessThanOrEqual(2_000)
  const taken = queue.take(20_000)
  const messages = taken.filter((event) => event.is === 'message')
  expect(messages.filter(({ message }) => message.kind === 'paid')).toHaveLength(40)
  expect(taken.filter(({ is }) => is === 'deleted')).toHaveLength(5)
  expect(messages.length + countOf(taken) + 5).toBe(10_000)
  expect(queue.dropped).toBe(countOf(taken))
})

test('what may not be dropped fills the queue, and the reader waits for room', async () => {
  const queue = createChatQueue({ count: 2, bytes: 1e6 })
  const sender = { id: 'm', name: 'Mod', badges: [], roles: ['moderator'] as const }
  expect(queue.push(messageEvent('1', { own: true }))).toBe(true)
  expect(queue.push(messageEvent('2', { sender }))).toBe(true)
  expect(queue.push({ is: 'cleared' })).toBe(false)
  let hasRoom = false
  const room = queue.room().then(() => (hasRoom = true))
  await Promise.resolve()
  expect(hasRoom).toBe(false)
  expect(queue.take(1)).toHaveLength(1)
  await room
})

test('takes in order, reports each dropped message once, and never exceeds its limits by plain messages', () => {
  const command = fc.oneof(
    fc.record({ do: fc.constant('push' as const), isPaid: fc.boolean() }),
    fc.record({ do: fc.constant('take' as const), max: fc.integer({ min: 1, max: 9 }) }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const queue = createChatQueue({ count: 5, bytes: 1e6 })
      const out: ChatEvent[] = []
      let [pushed, paid] = [0, 0]
      for (const step of commands) {
        if (step.do === 'take') out.push(...queue.take(step.max))
        else {
          queue.push(messageEvent(`${pushed++}`, step.isPaid ? { kind: 'paid' } : {}))
          paid += step.isPaid ? 1 : 0
        }
      }
      out.push(...queue.take(10_000))
      const messages = out.filter((event) => event.is === 'message').map(({ message }) => message)
      expect(messages.length + countOf(out)).toBe(pushed)
      expect(messages.filter(({ kind }) => kind === 'paid')).toHaveLength(paid)
      const ids = messages.map(({ id }) => Number(id))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    }),
  )
})
