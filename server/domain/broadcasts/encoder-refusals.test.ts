import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#contract/areas/projects/history.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { networkText, recordEncoderRefusal } from './encoder-refusals.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const refused = async (as: Person) => {
  const filter = { project_id: as.projectId, limit: 50, offset: 0, action: 'encoder_refused' } as const
  return (await world.api(history.list, filter, { as })).body
}
const refuse = (projectId: number, address: string) =>
  recordEncoderRefusal(world.services, { projectId, address, reason: 'another_encoder' })

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['nonsense', ''],
])('%s is named as its network %s', (address, network) => {
  expect(networkText(address)).toBe(network)
})

test('ten entries a day at most, and one an hour for each network and reason', async () => {
  let ann = await world.user('Ann')
  await readStreamKey(world.services, ann.projectId)
  for (let left = 5; left > 0; left--) await refuse(ann.projectId, '203.0.113.77')
  expect((await refused(ann)).total).toBe(1)
  world.clock.advance(3_601_000)
  ann = await world.signIn(ann)
  await refuse(ann.projectId, '203.0.113.78')
  expect((await refused(ann)).total).toBe(2)
  for (let network = 0; network < 20; network++) await refuse(ann.projectId, `198.51.${network}.1`)
  expect((await refused(ann)).total).toBe(10)
  world.clock.advance(86_400_000)
  ann = await world.signIn(ann)
  await refuse(ann.projectId, '203.0.113.77')
  expect((await refused(ann)).total).toBe(11)
})

test('ignores a project that does not exist', async () => {
  await expect(refuse(2_000_000_000, '203.0.113.77')).resolves.toBeUndefined()
})
