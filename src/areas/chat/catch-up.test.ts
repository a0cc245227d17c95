// The catch-up of a message list: what is missing is loaded, in any order of first page, subscription and arrivals.
import { expect, test } from 'vitest'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import { createMessageLog } from '#src/components/message-list/message-log.ts'
import { createCatchUp } from './catch-up.ts'

function scene(stored: ChatMessage[]) {
  const log = createMessageLog()
  const asked: unknown[] = []
  let isDown = false
  let during = () => {}
  const ask = async (page: { readonly after?: number; readonly limit: number }) => {
    asked.push(page.after)
    const { after = 0, limit } = page
    const found = stored.filter(({ seq }) => seq > after)
    const items = page.after === undefined ? found.slice(-limit) : found.slice(0, limit)
    during()
    await Promise.resolve()
    if (isDown) throw new Error('away')
    return { total: stored.length, items }
  }
  const seen = () => log.view().live.flatMap((row) => (row.kind === 'message' ? [row.message.seq] : []))
  const arrive = (seq: number) => log.receive([{ is: 'message', message: messageOf(seq) }])
  return {
    log,
    asked,
    seen,
    arrive,
    ...createCatchUp(log, ask),
    setDown: (value: boolean) => void (isDown = value),
    onAsk: (run: () => void) => void (during = run),
  }
}

const some = (...seqs: number[]) => seqs.map((seq) => messageOf(seq))
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('loads what was stored between the first page and the subscription', async () => {
  const on = scene(some(1, 2, 3))
  on.catchUp()
  on.arrive(3)
  on.log.load(some(1))
  on.loaded(some(1))
  await expect.poll(on.seen).toEqual([1, 2, 3])
  expect(on.asked).toEqual([1])
})

test('sends no request after a first page without a new subscription', () => {
  const on = scene(some(1))
  on.loaded(some(1))
  expect(on.asked).toEqual([])
})

test('continues after the last message of a page, not after one that arrived meanwhile', async () => {
  const on = scene(some(...upTo(1_200)))
  on.log.load(some(1))
  on.loaded(some(1))
  on.onAsk(() => on.arrive(1_200))
  on.catchUp()
  await expect.poll(() => on.seen().length).toBe(1_200)
})

test('repeats a failed request from the same message', async () => {
  const on = scene(some(1, 2, 3, 4))
  on.log.load(some(1))
  on.loaded(some(1))
  on.setDown(true)
  on.catchUp()
  await expect.poll(() => on.asked).toEqual([1])
  await new Promise(setImmediate)
  on.arrive(4)
  on.setDown(false)
  on.catchUp()
  await expect.poll(on.seen).toEqual([1, 2, 3, 4])
  expect(on.asked).toEqual([1, 1])
})

test('sends another request when a subscription begins during a request', async () => {
  const stored = some(1, 2)
  const on = scene(stored)
  on.log.load(some(1))
  on.loaded(some(1))
  on.catchUp()
  stored.push(messageOf(3))
  on.catchUp()
  await expect.poll(on.seen).toEqual([1, 2, 3])
  expect(on.asked).toEqual([1, 2])
})
