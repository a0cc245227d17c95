// Migration 0046: names that compatibility forms made longer are folded anew.
import { expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { newChannel } from '#server/testing/channels.ts'
import { testApp } from '#server/testing/test-app.ts'
import { up } from './migrations/0046-folded-names.ts'

test('a channel whose folded name was longer is found by the same search as before', async () => {
  const world = await testApp()
  const ann = await world.user()
  const { db } = world.app
  const names = ['\uFDFA Show', 'Ｐｌａｉｎ', 'Dots…']
  for (const name of names) {
    const id = await newChannel(world, ann, { name })
    const name_folded = name.normalize('NFKC').toLowerCase()
    await db.updateTable('channels').set({ name_folded }).where('id', '=', id).execute()
  }
  const found = async (name: string) =>
    (await world.api(channels.search, { project_id: ann.projectId, name }, { as: ann })).body.results.map(
      (one) => one.name,
    )
  expect(await found('\uFDFA')).toEqual([])
  await up(db as never)
  for (const name of names) expect([name, await found(name.slice(0, 5))]).toEqual([name, [name]])
  expect(await found('plain')).toEqual(['Ｐｌａｉｎ'])
  await world.close()
})
