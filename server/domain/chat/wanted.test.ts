// Chats to read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newChannel } from '#server/testing/channels.ts'
import { connectTwitch, withoutTwitch } from '#server/testing/chat.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { recordStatements } from '#server/testing/statements.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { readWantedPlaces, watchChat } from './wanted.ts'

let world: World
beforeAll(async () => {
  world = await testApp({ ...withoutTwitch, CHAT: 'off' })
})
afterAll(() => world.close())

test('reads the chats of many projects by as many statements as those of one', async () => {
  const watched = async (externalId: string) => {
    const person = await world.user()
    const channelId = await newChannel(world, person)
    await connectTwitch(world, { person, channelId, externalId })
    const node = someNodeOf(world, externalId)
    await node.begin(person.projectId)
    await node.channel(person.projectId, channelId, 'live')
    await watchChat(world.services, person.projectId)
  }
  const round = async () => {
    const { db, statements } = recordStatements(world.app.db)
    const { places } = await readWantedPlaces(world.services, db)
    return { places: places.length, statements: statements.length }
  }
  await watched('1')
  const one = await round()
  for (const externalId of ['2', '3', '4']) await watched(externalId)
  expect(one.places).toBe(1)
  expect(await round()).toEqual({ places: 4, statements: one.statements })
})
