// Chats of all platforms at their doubles: each row of abilities with each grant, and a message to several platforms.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { type ChatStage, chatStage, type StagePlatform, stagePlatforms } from '#server/testing/chat/stage.ts'
import { eventually } from '#server/testing/eventually.ts'

let stage: ChatStage
beforeEach(async () => {
  stage = await chatStage()
})
afterEach(() => stage.close())

const as = () => ({ as: stage.ann })
const rowsOf = async (broadcast_id: number) =>
  (await stage.world.api(chat.capabilities, { broadcast_id }, as())).body.results
const messagesOf = async (broadcast_id: number) =>
  (await stage.world.api(chat.messages, { broadcast_id }, as())).body.items

/** The broadcast, and one platform with its row. */
interface Cell {
  readonly broadcast_id: number
  readonly restream_id: number
  readonly platform: StagePlatform
  readonly row: ChatCapability
}

/** Runs a call. @returns its result, and how many commands the platform received */
async function counted<T>({ platform }: Cell, call: () => Promise<T>): Promise<{ result: T; calls: number }> {
  const before = stage.acts()
  const result = await call()
  const after = stage.acts()
  for (const other of stagePlatforms)
    if (other !== platform) expect([other, after[other]]).toEqual([other, before[other]])
  return { result, calls: after[platform] - before[platform] }
}

let sends = 0
async function checkSend(cell: Cell, reply?: ChatMessage): Promise<void> {
  const { broadcast_id, restream_id, row } = cell
  const to = { broadcast_id, id: `send ${++sends}`, text: `Hello ${sends}`, restreams: [restream_id] }
  const input = { ...to, ...(reply ? { reply_to: reply.event_id } : {}) }
  const { result, calls } = await counted(cell, () => stage.world.api(chat.send, input, as()))
  const [target] = result.body.restreams
  if (row.send) expect([target?.state, calls]).toEqual(['delivered', 1])
  else expect([target?.state, target?.error, calls]).toEqual(['failed', row.needs ?? 'unsupported', 0])
}

async function checkRestriction(cell: Cell, sender_id: string): Promise<void> {
  const { broadcast_id, restream_id, row } = cell
  const author = { broadcast_id, restream_id, sender_id }
  for (const act of ['timeout', 'untimeout', 'ban', 'unban'] as const) {
    const can = row.restricts === 'timeout' || (row.restricts === 'ban' && act.endsWith('ban'))
    const { result, calls } = await counted(cell, () =>
      stage.world.api(moderate.act, { ...author, act, seconds: 60 }, as()),
    )
    expect([act, result.error?.name, calls]).toEqual([act, can ? undefined : 'CannotModerate', can ? 1 : 0])
  }
}

async function checkRemoval(cell: Cell, { event_id }: ChatMessage): Promise<void> {
  const { broadcast_id, row } = cell
  const { result, calls } = await counted(cell, () => stage.world.api(chat.remove, { broadcast_id, event_id }, as()))
  expect([result.body.results, calls]).toMatchObject([[{ done: row.delete ? 'platform' : 'here' }], row.delete ? 1 : 0])
}

/** Abilities by platform: read, send, reply, delete, restrict; `-`: none. */
const expected = {
  page: { twitch: 'r', youtube: '-', kick: 'r', vk: '-', vkvideolive: 'r', telegram: '-', trovo: 'r' },
  account: { twitch: 'r', youtube: 'rsdt', kick: 'r', vk: 'rsedb', vkvideolive: 'r', telegram: 'rsedt', trovo: 'r' },
  chat: {
    twitch: 'rsedt',
    youtube: 'rsdt',
    kick: 'rsedt',
    vk: 'rsedb',
    vkvideolive: 'rs',
    telegram: 'rsedt',
    trovo: 'rsdt',
  },
} as const

const lettersOf = ({ read, send, reply, delete: remove, restricts }: ChatCapability): string =>
  [read && 'r', send && 's', reply && 'e', remove && 'd', restricts === 'none' ? '' : restricts[0]]
    .filter(Boolean)
    .join('') || '-'

test.for(['page', 'account', 'chat'] as const)(
  'invariant 8: the doubles accept what the rows allow with %s, and receive nothing that they deny',
  async (grant) => {
    const { broadcast_id, restreams } = await stage.goOnAir(grant)
    const rows = await rowsOf(broadcast_id)
    const rowOf = (platform: StagePlatform) => rows.find((row) => row.platform === platform)!
    expect(Object.fromEntries(stagePlatforms.map((name) => [name, lettersOf(rowOf(name))]))).toEqual(expected[grant])
    const readable = stagePlatforms.filter((platform) => rowOf(platform).read)
    const readers = async () => (await rowsOf(broadcast_id)).filter(({ state }) => state !== 'off')
    await eventually(
      async () => (await readers()).filter(({ state }) => state === 'reading').length === readable.length,
    )
    expect((await readers()).map(({ platform }) => platform).toSorted()).toEqual(readable.toSorted())
    for (const platform of readable) await stage.say({ platform, text: `from ${platform}` }, grant !== 'chat')
    await eventually(async () => (await messagesOf(broadcast_id)).length === readable.length)

    const messages = await messagesOf(broadcast_id)
    for (const platform of stagePlatforms) {
      const cell = { broadcast_id, restream_id: restreams[platform], platform, row: rowOf(platform) }
      const message = messages.find(({ restreams: [from] }) => from?.platform === platform)
      await checkSend(cell)
      if (message && cell.row.reply) await checkSend(cell, message)
      await checkRestriction(cell, message?.sender.id ?? '42')
      if (message) await checkRemoval(cell, message)
    }
  },
)

test('scenario 1: a message to three of the platforms, one refused, is sent again to that one only', async () => {
  const { broadcast_id, restreams } = await stage.goOnAir('chat')
  await eventually(async () => (await rowsOf(broadcast_id)).every(({ state }) => state === 'reading'))
  const before = stage.acts()
  stage.doubles.kick.refuse(403)
  const three = [restreams.twitch, restreams.kick, restreams.vk]
  const sent = await stage.world.api(chat.send, { broadcast_id, id: 'one', text: 'Hello', restreams: three }, as())
  const states = ({ restreams: targets }: ChatMessage) =>
    targets.map(({ platform, state, error }) => `${platform} ${error ?? state}`).toSorted()
  expect(states(sent.body)).toEqual(['kick forbidden', 'twitch delivered', 'vk delivered'])
  const { event_id } = sent.body
  const again = await stage.world.api(chat.again, { broadcast_id, event_id, restream_id: restreams.kick }, as())
  expect(states(again.body)).toEqual(['kick delivered', 'twitch delivered', 'vk delivered'])
  expect(stage.acts()).toEqual({ ...before, twitch: before.twitch + 1, kick: before.kick + 1, vk: before.vk + 1 })
  const repeated = await stage.world.api(chat.again, { broadcast_id, event_id, restream_id: restreams.vk }, as())
  expect(repeated.error?.name).toBe('NotFailed')
  // VK sends the message back to its reader: it is no second row.
  await stage.say({ platform: 'vk', text: 'after' }, false)
  await eventually(async () => (await messagesOf(broadcast_id)).some(({ text }) => text === 'after'))
  expect((await messagesOf(broadcast_id)).map(({ text }) => text)).toEqual(['Hello', 'after'])
})
