import { expect, test } from 'vitest'
import type { ChatEvent } from '#server/core/chat.ts'
import { createChatQueue } from './queue.ts'
import { messageEvent, pipelineServices, placeOf } from './testing/messages.ts'
import { writeQueue } from './writer.ts'

test.each([
  new TypeError('no id'),
  new RangeError('invalid time'),
  Object.assign(new Error('text'), { code: '22021' }),
])('drops and counts the event that can never be stored, and stores the others: %s', async (failure) => {
  const queue = createChatQueue()
  const stored: ChatEvent[] = []
  const isBad = (event: ChatEvent) =>
    (event.is === 'message' && event.message.id === 'bad') || (event.is === 'deleted' && event.id === 'bad')
  const write = async (_: unknown, __: number, events: readonly ChatEvent[]) => {
    if (events.some(isBad)) throw failure
    stored.push(...events)
    return true
  }
  queue.push(messageEvent('1'))
  queue.push(messageEvent('bad'))
  queue.push({ is: 'deleted', id: 'bad' })
  queue.push(messageEvent('2'))
  const logged: unknown[] = []
  const { log } = pipelineServices(logged)
  const { signal } = new AbortController()
  const writing = writeQueue({ store: { write }, place: placeOf('a'), epoch: 1, queue, signal, log })
  queue.close()
  expect(await writing).toBe(true)
  expect(stored.map((event) => (event.is === 'message' ? event.message.id : event))).toEqual([
    '1',
    { is: 'skipped', count: 1 },
    '2',
  ])
  expect(logged.length).toBeGreaterThan(0)
})
