// Channels beyond the next plan: a broadcast on air at the end of the plan keeps them until it stops, at most 12 hours.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { fitLine } from '#server/domain/ingest/fit-line.ts'
import { endPlans } from '#server/testing/tariffs.ts'
import { newChannel, upgrade } from '#server/testing/channels.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let node: ReturnType<typeof someNodeOf>
beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  node = someNodeOf(world)
  await upgrade(world, ann, 2)
  for (const name of ['One', 'Two', 'Three']) {
    const channel_id = await newChannel(world, ann, { name })
    await world.api(channels.setStatus, { project_id: ann.projectId, channel_id, status: true }, { as: ann })
  }
  world.clock.set(new Date('2026-04-01T09:00:00.000Z'))
  await node.begin(ann.projectId)
})
afterEach(() => world.close())

/** Sets the clock, and handles the ends of plans. @returns the names of the channels that are switched on */
async function onAt(time: string): Promise<string[]> {
  world.clock.set(new Date(time))
  await endPlans({ ...world, db: world.app.db, fit: (...of) => fitLine(world, ...of), onEnd: () => undefined })
  const rows = await world.app.db
    .selectFrom('channels')
    .innerJoin('project_channels', 'project_channels.channel_id', 'channels.id')
    .select('channels.name')
    .where('project_channels.active', '=', 1)
    .orderBy('channels.id')
    .execute()
  return rows.map(({ name }) => name)
}

test('billing check 11: keeps the channels of a plan that ends on air until the broadcast stops', async () => {
  expect(await onAt('2026-04-01T15:00:00.000Z')).toEqual(['One', 'Two', 'Three'])
  await node.end(ann.projectId)
  expect(await onAt('2026-04-01T15:01:00.000Z')).toEqual(['One', 'Two'])
})

test('billing check 11: switches the channels off 12 hours after the end of the plan', async () => {
  expect(await onAt('2026-04-01T21:59:00.000Z')).toEqual(['One', 'Two', 'Three'])
  expect(await onAt('2026-04-01T22:00:00.000Z')).toEqual(['One', 'Two'])
})
