// Payloads of any form from each platform, through the running readers: the chats are read on, and only valid rows are stored.
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { chatImage } from '#server/chat/clean.ts'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { type ChatStage, chatStage, type StageGrant, stagePlatforms } from '#server/testing/chat/stage.ts'
import { eventually } from '#server/testing/eventually.ts'

const runs = process.env['NIGHTLY'] ? 1_000 : 40
const seed = process.env['NIGHTLY'] ? Date.now() % 2 ** 31 : 20_261_122

let stage: ChatStage
afterEach(() => stage.close())

/** Texts that clients and databases misread. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\0',
    '\uD800',
    '\u202Eabc',
    '<img src=x onerror=alert(1)>',
    'data:text/html,<script>alert(1)</script>',
    'a\u0301'.repeat(50),
  ),
  fc.constantFrom(
    'https://evil.example/x.png',
    '__proto__',
    '-1',
    '1e999',
    'NaN',
    'x'.repeat(5_000),
    '😀'.repeat(3_000),
  ),
)
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 2 ** 53, 8.64e15 + 1))
const any = fc.oneof(text, number, fc.jsonValue({ maxDepth: 2 }))
/** A field as documented, or anything. */
const or = <T>(good: T) => fc.oneof({ weight: 3, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: any })

const tag = fc.tuple(
  fc.constantFrom(
    'id',
    'user-id',
    'display-name',
    'emotes',
    'badges',
    'bits',
    'tmi-sent-ts',
    'source-id',
    'msg-id',
    'color',
  ),
  fc.oneof(text, fc.constantFrom('25:0-4', '25:9-1', 'x:y-z', '25:-5-99999999', 'a/b,c', '1/1', '9e99', 'sub', 'raid')),
)
const ircLine = fc
  .tuple(
    fc.array(tag, { maxLength: 8 }),
    fc.constantFrom('PRIVMSG', 'USERNOTICE', 'CLEARMSG', 'CLEARCHAT', 'ROOMSTATE', 'NOTICE', 'WHISPER', 'X', '999', ''),
    fc.oneof(fc.constant('#ann'), text),
    text,
  )
  .map(([tags, command, channel, body]) => {
    const plain = (value: string) => value.replaceAll(/[\r\n]/g, '')
    const all = tags.map(([name, value]) => `${name}=${plain(value).replaceAll(/[; ]/g, '')}`).join(';')
    return `@${all} :bob!bob@bob.tmi.twitch.tv ${command} ${plain(channel)} :${plain(body)}\r\n`
  })

const eventSubEvent = fc.record({
  broadcaster_user_id: or('777'),
  chatter_user_id: or('5'),
  chatter_user_name: any,
  chatter_user_login: any,
  message_id: fc.oneof(fc.uuid(), any),
  message: fc.oneof(
    any,
    fc.record({
      text: any,
      fragments: fc.oneof(any, fc.array(fc.record({ type: or('emote'), text: any, emote: any, mention: any }))),
    }),
  ),
  badges: fc.oneof(any, fc.array(fc.record({ set_id: any, id: any, info: any }))),
  color: any,
  cheer: any,
  reply: any,
})
const youtubeItem = fc.record({
  id: fc.oneof(fc.uuid(), any),
  snippet: fc.oneof(
    any,
    fc.record({
      type: fc.oneof(fc.constantFrom('textMessageEvent', 'superChatEvent', 'newSponsorEvent'), text),
      publishedAt: any,
      displayMessage: text,
      superChatDetails: fc.option(fc.record({ amountMicros: any, currency: text, userComment: text }), {
        nil: undefined,
      }),
    }),
  ),
  authorDetails: fc.oneof(any, fc.record({ channelId: text, displayName: text, profileImageUrl: text })),
})
const vkEvent = fc.record({
  type: or('video_comment_new'),
  comment: fc.oneof(
    any,
    fc.record({ id: fc.integer({ min: 1, max: 1e6 }), from_id: fc.integer(), date: number, text, attachments: any }),
  ),
  user: any,
})
const vkVideoLiveData = fc.record({
  type: or('channel_chat_message_send'),
  data: fc.oneof(
    any,
    fc.record({
      chat_message: fc.record({
        id: fc.oneof(fc.integer({ min: 1 }), any),
        created_at: any,
        author: fc.oneof(any, fc.record({ id: fc.integer(), nick: text, avatar_url: text, badges: any })),
        parts: fc.oneof(any, fc.array(fc.record({ text: any, link: any, smile: any }))),
      }),
    }),
  ),
})
const telegramMessage = fc.record({
  message_id: fc.oneof(fc.integer({ min: 1, max: 1e6 }), any),
  date: any,
  text: any,
  from: fc.oneof(any, fc.record({ id: fc.integer(), first_name: text, username: any })),
})
const kickMessage = fc.record({
  message_id: fc.oneof(fc.uuid(), any),
  content: any,
  sender: fc.oneof(any, fc.record({ user_id: fc.integer(), username: text, identity: any })),
  created_at: any,
})
const trovoMessage = fc.record({
  type: fc.oneof(fc.constantFrom(0, 5, 5001, 5005, 5006, 5008), any),
  content: any,
  nick_name: fc.oneof(text, any),
  user_name: any,
  sender_id: fc.oneof(fc.integer(), any),
  avatar: any,
  medals: any,
  roles: any,
  message_id: fc.oneof(fc.uuid(), any),
  send_time: any,
})

/** Delivers hostile payloads of all platforms. */
async function attack(grant: StageGrant): Promise<void> {
  const { twitch, youtube, vk, vkvideolive, telegram, kick, trovo } = stage.doubles
  const sample = <T>(of: fc.Arbitrary<T>) => fc.sample(of, { numRuns: runs, seed })
  for (const line of sample(ircLine)) twitch.irc.raw(line)
  if (grant === 'chat') {
    for (const event of sample(eventSubEvent)) twitch.eventSub.publish('channel.chat.message', event)
    for (const event of sample(eventSubEvent)) twitch.eventSub.publish('channel.chat.notification', event)
    for (const item of sample(youtubeItem)) youtube.publish(item)
    for (const event of sample(vkEvent)) vk.deliver(event)
    for (const message of sample(telegramMessage)) void telegram.say(message as Record<string, unknown>)
  }
  for (const data of sample(vkVideoLiveData)) vkvideolive.publish(data)
  for (const message of sample(trovoMessage)) trovo.say('', message as Record<string, unknown>)
  for (const message of sample(kickMessage)) {
    const { headers, body } = kick.webhook(kick.message('', message))
    const answer = await stage.world.app.inject({ method: 'POST', url: '/kick/webhook', headers, payload: body })
    expect(answer.statusCode).toBeLessThan(500)
  }
}

/** Checks a stored message; `world.api` has checked its shape. */
function check({ restreams, text: shown, sender, entities, created_at }: ChatMessage): void {
  const type = restreams[0]?.platform as PlatformType
  expect(Array.from(shown).length).toBeLessThanOrEqual(2_000)
  expect(shown).not.toMatch(/[\0\u202E]/)
  expect(sender.name.length).toBeLessThanOrEqual(100)
  expect(Number.isNaN(Date.parse(created_at))).toBe(false)
  const images = [
    sender.avatar,
    ...sender.badges.map(({ image }) => image),
    ...entities.map((entity) => (entity.type === 'emoji' ? entity.image : null)),
  ].filter((image) => typeof image === 'string')
  for (const image of images) expect([image, chatImage(type, image)]).toEqual([image, image])
}

test.for(['page', 'chat'] as const)(
  'payloads of any form with %s leave the chats read and the rows valid',
  async (grant) => {
    stage = await chatStage()
    const { world, ann } = stage
    const { broadcast_id } = await stage.goOnAir(grant)
    const rows = async () => (await world.api(chat.capabilities, { broadcast_id }, { as: ann })).body.results
    await eventually(async () => (await rows()).every(({ read, state }) => !read || state === 'reading'))
    const readable = (await rows()).flatMap(({ platform, read }) => (read ? [platform] : []))
    await attack(grant)
    for (const platform of stagePlatforms)
      if (readable.includes(platform)) await stage.say({ platform, text: 'after' }, grant === 'page')
    const page = async (after: number) =>
      (await world.api(chat.messages, { broadcast_id, after, limit: 500 }, { as: ann })).body.items
    const all = async () => {
      const items: ChatMessage[] = []
      for (let next = await page(0); next.length > 0; next = await page(next.at(-1)?.seq ?? 0)) items.push(...next)
      return items
    }
    const came = async () =>
      (await all()).filter(({ text: shown }) => shown === 'after').map(({ restreams }) => restreams[0]?.platform)
    await eventually(async () => new Set(await came()).size === readable.length)
    for (const message of await all()) check(message)
    expect((await rows()).filter(({ read, state }) => read && state !== 'reading')).toEqual([])
  },
)
