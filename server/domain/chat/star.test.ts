// The starred message: one per broadcast, cleared with its message, for callers that may write.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import { chatOnAir, someMessage } from '#server/testing/chat.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

/** A broadcast with three messages, the last one by another author. */
async function scene() {
  const { ann, broadcastId: broadcast_id, restreamId: restream_id, reader } = await chatOnAir(world)
  const other = { id: 'viewer-2', name: 'Other', badges: [], roles: [] }
  await reader.say(someMessage('1', 'one'), someMessage('2', 'two'), someMessage('3', 'three', { sender: other }))
  const { items } = (await world.api(chat.messages, { broadcast_id }, { as: ann })).body
  const [one = '', two = '', three = ''] = items.map(({ event_id }) => event_id)
  const act = (more: object) => world.api(moderate.act, { broadcast_id, act: 'hide', ...more }, { as: ann })
  const star = (event_id?: string, who: object = { as: ann }, more: object = {}) =>
    world.api(moderate.star, { broadcast_id, ...(event_id !== undefined && { event_id }), ...more }, who)
  const starred = async () => (await world.api(chat.capabilities, { broadcast_id }, { as: ann })).body.starred
  return { ann, broadcast_id, restream_id, reader, one, two, three, act, star, starred }
}

test('stars one message of a broadcast, until it is replaced or cleared', async () => {
  const { one, two, star, starred } = await scene()
  expect(await starred()).toBeNull()
  expect((await star(one)).status).toBe(201)
  expect(await starred()).toBe(one)
  await star(two)
  expect(await starred()).toBe(two)
  expect((await star('missing')).error?.name).toBe('MessageNotFound')
  expect(await starred()).toBe(two)
  // After three messages and two stars.
  expect((await star()).body).toEqual({ event_id: null, star_rev: 6 })
  expect(await starred()).toBeNull()
})

test('clears the star when its message is hidden or deleted, for good', async () => {
  const { ann, broadcast_id, restream_id, reader, one, two, three, act, star, starred } = await scene()
  await star(one)
  await act({ event_id: one })
  expect((await star(one)).error?.name).toBe('MessageGone')
  await act({ event_id: one, act: 'show' })
  expect(await starred()).toBeNull()
  await star(three)
  await act({ restream_id, sender_id: 'viewer-2' })
  await act({ restream_id, sender_id: 'viewer-2', act: 'show' })
  expect(await starred()).toBeNull()
  await star(one)
  await world.api(chat.remove, { broadcast_id, event_id: one }, { as: ann })
  expect(await starred()).toBeNull()
  expect((await star(one)).error?.name).toBe('MessageGone')
  await star(two)
  const published = vi.spyOn(world.services.realtime, 'publish')
  await reader.store({ is: 'cleared' })
  expect(await starred()).toBeNull()
  const { star_rev } = (await world.api(chat.capabilities, { broadcast_id }, { as: ann })).body
  const cleared = `"action":"starred","event_id":null,"rev":${star_rev}}`
  await vi.waitFor(() => expect(JSON.stringify(published.mock.calls)).toContain(cleared))
})

test('numbers and publishes the clearing of a star whose message is gone', async () => {
  const { ann, broadcast_id, restream_id, reader, one, two, three, act, star } = await scene()
  const published = vi.spyOn(world.services.realtime, 'publish')
  const known = async () => {
    const { starred, star_rev } = (await world.api(chat.capabilities, { broadcast_id }, { as: ann })).body
    return { starred, star_rev }
  }
  const of = { project_id: ann.projectId, platform: 'twitch', sender_id: 'viewer-2' } as const
  const ways: [string, () => Promise<unknown>][] = [
    [one, () => act({ event_id: one })],
    [two, () => reader.store({ is: 'deleted', id: '2' })],
    [three, () => act({ restream_id, sender_id: 'viewer-2' })],
    [three, () => world.api(moderate.forget, of, { as: ann })],
  ]
  let last = 0
  for (const [id, remove] of ways) {
    if (id === three) await act({ restream_id, sender_id: 'viewer-2', act: 'show' })
    const { body } = await star(id)
    expect(body.event_id).toBe(id)
    expect(body.star_rev).toBeGreaterThan(last)
    await remove()
    const { starred, star_rev } = await known()
    // After the change of the message.
    expect([starred, star_rev]).toEqual([null, body.star_rev + 2])
    last = star_rev
    const cleared = `"action":"starred","event_id":null,"rev":${star_rev}}`
    await vi.waitFor(() => expect(JSON.stringify(published.mock.calls)).toContain(cleared))
  }
  published.mockRestore()
})

test('keeps the star when another message is hidden or deleted', async () => {
  const { ann, broadcast_id, reader, one, two, three, act, star, starred } = await scene()
  await star(one)
  await act({ event_id: two })
  await world.api(chat.remove, { broadcast_id, event_id: two }, { as: ann })
  await reader.store({ is: 'deleted', id: '3' })
  expect(await starred()).toBe(one)
  expect((await star(three)).error?.name).toBe('MessageGone')
  // After three messages, a star, a hidden and two deleted messages.
  expect((await star()).body).toEqual({ event_id: null, star_rev: 8 })
})

test('lets editors and keys that write star messages', async () => {
  const { ann, one, star, starred } = await scene()
  const of = { project_id: ann.projectId }
  const { key } = (await world.api(chat.key, of, { as: ann })).body
  expect((await star(one, {}, { key })).error?.name).toBe('KeyMayNotWrite')
  expect((await star(one, {})).status).toBe(401)
  expect((await star(one, { as: await world.user() })).status).toBe(403)
  expect(await starred()).toBeNull()
  const added = await world.api(keys.add, { ...of, name: 'Dock', rights: 'write' }, { as: ann })
  await star(one, {}, { key: added.body.key })
  expect(await starred()).toBe(one)
})

test('hides and shows more messages of an author than one statement takes', async () => {
  const { ann, broadcast_id, restream_id, reader, one, act } = await scene()
  await reader.say(...Array.from({ length: 1_200 }, (_, at) => someMessage(`many ${at}`, `Many ${at}`)))
  const hidden = async (isHidden: boolean) =>
    (await world.api(chat.messages, { broadcast_id, hidden: isHidden, limit: 500 }, { as: ann })).body.items
  await act({ event_id: one })
  await act({ restream_id, sender_id: 'viewer-1' })
  expect((await hidden(false)).map(({ text }) => text)).toEqual(['three'])
  await act({ restream_id, sender_id: 'viewer-1', act: 'show' })
  expect(await hidden(false)).toHaveLength(500)
  expect((await world.api(chat.message, { broadcast_id, event_id: one }, { as: ann })).body.hidden).toBe('person')
})
