// Inbox of a chat: order and speed of reading.
import { expect, test } from 'vitest'
import { testApp } from '#server/testing/test-app.ts'
import { deliver, openInbox, readInbox } from './inbox.ts'

test('reads a flood without waiting until earlier rows are removed', async () => {
  const world = await testApp()
  const { db } = world.app
  const source = 'kick:1'
  const count = 4_500
  await openInbox(db, source)
  for (let from = 0; from < count; from += 500)
    await deliver(
      world,
      db,
      Array.from({ length: 500 }, (_, at) => ({ source, externalId: `m${from + at}`, body: from + at })),
    )
  const ending = new AbortController()
  const began = performance.now()
  const bodies: unknown[] = []
  for await (const body of readInbox(db, source, ending.signal)) if (bodies.push(body) === count) ending.abort()
  expect(bodies).toEqual(Array.from({ length: count }, (_, at) => at))
  // Rows are removed 10 s after they are taken, 2,000 at a time.
  expect(performance.now() - began).toBeLessThan(10_000)
  await world.close()
})
