// Texts that databases cannot store are refused in every operation, at any depth.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profile } from '#contract/areas/account/profile.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { settings as chatSettings } from '#contract/areas/chat/settings.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import type { Operation } from '#contract/core/operation.ts'
import { ErrorBody } from '#contract/core/wire.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let channel_id: number

beforeAll(async () => {
  world = await testApp()
  ann = await world.user()
  channel_id = await newChannel(world, ann)
})
afterAll(() => world.close())

/** Sends a body or query. @returns status and names of the refused parameters */
async function send(op: Operation, input: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const isQuery = op.placement === 'query'
  const answer = await world.app.inject({
    method: op.method,
    url: op.path,
    headers: { authorization: `oauth ${ann.accessToken}` },
    ...(isQuery ? { query: input as Record<string, string> } : { payload: input }),
  })
  const { data } = ErrorBody.safeParse(JSON.parse(answer.body))
  return [answer.statusCode, ...new Set(data?.error.validator_error?.map(({ property }) => property))]
}

const bad = ['\0', 'a\0b', '\uD800', 'a\uDC00b', '\uDC00\uD800']

test.each(bad)('refuses %j by the name of the parameter', async (text) => {
  const { projectId: project_id } = ann
  const author = { platform: 'twitch', sender_id: '7', name: 'Bob' }
  const cases: [Operation, object, string][] = [
    [settings.setName, { channel_id, name: text }, 'name'],
    [chatSettings.set, { mute: { ...author, sender_id: text } }, 'mute.sender_id'],
    [chatSettings.set, { mute: { ...author, name: text } }, 'mute.name'],
    [chatSettings.set, { unmute: { platform: 'twitch', sender_id: text } }, 'unmute.sender_id'],
    [chatSettings.set, { words: ['plain', text] }, 'words.1'],
    [chat.send, { id: 'a-nonce-of-the-page', text, broadcast_id: 1 }, 'text'],
    [channels.search, { name: 'a\0b' }, 'name'],
  ]
  for (const [op, input, property] of cases) {
    expect([op.id, ...(await send(op, { project_id, ...input }))]).toEqual([op.id, 400, property])
  }
})

test('accepts pairs of surrogates and other control characters', async () => {
  const mute = { platform: 'twitch', sender_id: '7', name: '😀\u0001\uFFFD' }
  expect(await send(chatSettings.set, { project_id: ann.projectId, mute })).toEqual([201])
})

test('refuses such texts in a form', async () => {
  const form = new FormData()
  form.append('first_name', 'a\0b')
  form.append('last_name', 'Smith')
  const answer = await world.app.inject({
    method: profile.update.method,
    url: profile.update.path,
    headers: { authorization: `oauth ${ann.accessToken}` },
    payload: form,
  })
  expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('"property":"first_name"')])
})

test('a caller without a session learns nothing of its texts', async () => {
  const answer = await world.app.inject({ method: 'POST', url: sessions.close.path, payload: { session_id: 'a\0' } })
  expect(answer.statusCode).toBe(401)
})

test('reads values nested ten thousand levels deep', async () => {
  const deep = `{"project_id":${ann.projectId},"words":${'['.repeat(10_000)}"\\u0000"${']'.repeat(10_000)}}`
  const answer = await world.app.inject({
    method: 'POST',
    url: chatSettings.set.path,
    headers: { authorization: `oauth ${ann.accessToken}`, 'content-type': 'application/json' },
    payload: deep,
  })
  expect(answer.statusCode).toBe(400)
})
