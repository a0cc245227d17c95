// Which account of a platform a user may use.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessType } from '#contract/entities/roles.ts'
import { newChannel } from '#server/testing/channels.ts'
import { connectTwitch, withoutTwitch } from '#server/testing/chat.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { findUsableAccount } from './accounts-store.ts'

let world: World
beforeAll(async () => {
  world = await testApp(withoutTwitch)
})
afterAll(() => world.close())

/** Role of a newer version, with capabilities that this one does not know. */
const laterRole = 3 as number as AccessType

test('finds an account of a channel by the capabilities of the role, not by its number', async () => {
  const ann = await world.user()
  await connectTwitch(world, { person: ann, channelId: await newChannel(world, ann), externalId: 'ann' })
  const found: unknown[] = []
  for (const role of [0, 1, 2, laterRole] as const) {
    const member = await world.user()
    await world.join(member, ann.projectId, role)
    found.push((await findUsableAccount(world.services.db, member.id, 'twitch'))?.user_id)
  }
  expect(found).toEqual([undefined, ann.id, ann.id, undefined])
})
