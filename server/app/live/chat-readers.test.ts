// Store of readers over the database.
import { expect, test } from 'vitest'
import { createReaderStore } from './chat-readers.ts'
import { testApp } from '#server/testing/test-app.ts'

test('invariant 3: only the newest epoch of a source writes, and a released lease is free immediately', async () => {
  const world = await testApp()
  const store = createReaderStore(world.services)
  const place = {
    source: 'twitch:@a',
    platform: 'twitch',
    externalId: '',
    page: '',
    accountId: null,
    videoId: null,
  } as const
  const first = await store.claim(place, 'one')
  expect(first).toMatchObject({ epoch: 1, since: null })
  expect(await store.claim(place, 'two')).toBeNull()
  expect(await store.renew('one', [{ source: place.source, epoch: 1 }])).toEqual(new Set([place.source]))
  expect(await store.write(place, 1, [{ is: 'state', state: 'reading' }])).toBe(true)
  await store.release(place.source, 1)
  expect(await store.claim(place, 'two')).toMatchObject({ epoch: 2, since: null })
  expect(await store.renew('one', [{ source: place.source, epoch: 1 }])).toEqual(new Set())
  expect(await store.write(place, 1, [{ is: 'state', state: 'reading' }])).toBe(false)
  expect(await store.free([place.source, 'twitch:@b'])).toEqual(['twitch:@b'])
  await store.release(place.source, 2)
  expect(await store.free([place.source])).toEqual([place.source])
  expect(await store.reconcile()).toMatchObject({ places: [], until: null })
  await world.close()
})
