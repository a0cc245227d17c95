import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'
import { thinSamples } from './samples.ts'
import { handleEvent } from './broadcasts.ts'
import { findOnAir } from './store.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

test('averages old samples into longer steps, keeps the mean, and removes the oldest', async () => {
  const { projectId } = await world.user()
  const start = Math.floor(world.clock.now().getTime() / 60_000) * 60
  const source = { type: 'source-began', projectId, encoder: 'test', address: '192.0.2.1' } as const
  await handleEvent(world.services, 'node', 1, { ...source, at: start * 1000 })
  const { id } = (await findOnAir(world.app.db, projectId)) ?? { id: 0 }
  const rows = Array.from({ length: 120 }, (_, second) => ({
    broadcast_id: id,
    step: 1,
    at: start + second,
    kbps: second < 60 ? 1000 : 3000,
    fps: 30,
  }))
  await world.app.db.insertInto('broadcast_samples').values(rows).execute()
  const kept = async () => {
    const all = await world.app.db.selectFrom('broadcast_samples').selectAll().orderBy('at').execute()
    return all.map(({ step, at, kbps }) => [step, Number(at) - start, kbps])
  }

  await thinSamples(world.services)
  expect(await kept()).toHaveLength(120)

  world.clock.set(new Date((start + 3_600 + 125) * 1000))
  await thinSamples(world.services)
  const tens = await kept()
  expect(tens).toHaveLength(12)
  expect(tens[0]).toEqual([10, 0, 1000])
  expect(tens[11]).toEqual([10, 110, 3000])

  world.clock.advance(25 * 3_600_000)
  await thinSamples(world.services)
  await thinSamples(world.services)
  expect(await kept()).toEqual([
    [60, 0, 1000],
    [60, 60, 3000],
  ])

  world.clock.advance(367 * 86_400_000)
  await thinSamples(world.services)
  expect(await kept()).toEqual([])
})
