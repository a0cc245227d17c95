// The loop that reads Telegram's updates: one consumer, commands, failures and hostile updates.
import * as fc from 'fast-check'
import { Bot } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BotCommand, BotRefusedError } from '#server/core/telegram-bot.ts'
import { upsertInbox } from '#server/domain/platforms/inbox-store.ts'
import { readInbox } from '#server/domain/platforms/inbox.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { type TelegramDouble, telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { readTelegramUpdates, waitAfter } from './updates.ts'

let telegram: TelegramDouble
let double: PlatformDouble
let world: World
let commands: BotCommand[]
let stop: () => Promise<void>

const servicesWithBot = () => {
  const config = { ...world.services.config, telegramBotToken: withBot.TELEGRAM_BOT_TOKEN }
  return { ...world.services, config }
}

beforeEach(async () => {
  telegram = telegramDouble()
  double = await platformDouble([telegram.platform])
  double.tokens.add('*')
  world = await testApp({ PROVIDER_BASES: `telegram=${double.base}`, RATE_LIMITS: 'on' })
  commands = []
  stop = readTelegramUpdates(servicesWithBot(), async (_, command) => {
    commands.push(command)
    return command.argument === 'broken' ? Promise.reject(new Error('A failure of a handler')) : 'Linked'
  })
})
afterEach(async () => {
  await stop()
  await world.close()
  await double.close()
  double.check()
})

test('passes commands of private chats on, and sends the reply', async () => {
  await telegram.write(7, '/start abc-DEF_123')
  await telegram.write(7, '/start@relaydeck_bot x')
  await telegram.write(7, 'hello')
  await telegram.say({ message_id: 5, text: '/start from-a-group' })
  await telegram.write(8, '/start broken')
  await telegram.write(8, '/stop')
  const private9 = { id: 9, type: 'private' }
  const blocked = { chat: private9, date: 1, from: { id: 9, first_name: 'Eve' }, old_chat_member: { status: 'member' } }
  await telegram.deliver({ my_chat_member: { ...blocked, new_chat_member: { status: 'kicked' } } })
  expect(commands).toEqual([
    { command: 'start', argument: 'abc-DEF_123', chatId: '7', name: 'Bob', login: 'bob', language: 'en' },
    expect.objectContaining({ command: 'start', argument: 'x' }),
    expect.objectContaining({ argument: 'broken', chatId: '8' }),
    expect.objectContaining({ command: 'stop', argument: '', chatId: '8' }),
    expect.objectContaining({ command: 'stop', chatId: '9', name: 'Eve' }),
  ])
  expect(telegram.sent.map(({ chat_id: to, text }) => [to, text])).toEqual([
    ['7', 'Linked'],
    ['7', 'Linked'],
    ['8', 'Linked'],
  ])
})

test('replies to a person that floods the bot ten times a minute, and takes all commands', async () => {
  for (let n = 0; n < 12; n++) await telegram.write(7, '/start')
  await telegram.write(8, '/start')
  expect(commands).toHaveLength(13)
  expect(telegram.sent.filter(({ chat_id: to }) => to === '7')).toHaveLength(10)
  expect(telegram.sent.filter(({ chat_id: to }) => to === '8')).toHaveLength(1)
})

test('a second loop waits for the lease, and continues after the first one ends', async () => {
  // The first loop holds the lease once it has answered.
  await telegram.write(7, '/start zero')
  const stopSecond = readTelegramUpdates(servicesWithBot(), async (_, command) => `second ${command.argument}`)
  await telegram.write(7, '/start one')
  await stop()
  await telegram.write(7, '/start two')
  expect(telegram.sent.map(({ text }) => text)).toEqual(['Linked', 'Linked', 'second two'])
  await stopSecond()
})

test('continues after refusals: another consumer, too many calls, an error of Telegram', async () => {
  await telegram.write(7, '/start one')
  telegram.refuse('getUpdates', 429, 'Too Many Requests: retry after 0', { parameters: { retry_after: 0 } })
  telegram.refuse('sendMessage', 403, 'Forbidden: bot was blocked by the user')
  await telegram.write(7, '/start two')
  telegram.refuse('getUpdates', 409, 'Conflict: terminated by other getUpdates request')
  telegram.refuse('getUpdates', 502, 'Bad Gateway')
  await telegram.write(7, '/start three')
  await telegram.write(7, '/start four')
  expect(commands.map(({ argument }) => argument)).toEqual(['one', 'two', 'three', 'four'])
  expect(world.logged.join('')).not.toContain(withBot.TELEGRAM_BOT_TOKEN)
})

test.each([0, -1, 1e15, Number.NaN, 'soon' as never])(
  'waits between repeated refusals that demand a wait of %s, at most a day',
  (retryAfter) => {
    const wait = waitAfter(new BotRefusedError(429, 'Too Many Requests', retryAfter), 2)
    expect(wait).toBeGreaterThanOrEqual(1_000)
    expect(wait).toBeLessThanOrEqual(86_400_000)
  },
)

test('keeps messages of a group for its reader only, each once', async () => {
  const source = `telegram:${telegram.group.id}`
  await telegram.say({ message_id: 1, text: 'Without a reader' })
  const ending = new AbortController()
  await upsertInbox(world.app.db, source, 60_000)
  await telegram.say({ message_id: 2, text: 'Hello \0 there' })
  await telegram.say({ message_id: 2, text: 'Hello again' })
  await telegram.say({ message_id: 3, text: 'Bye' })
  const texts: string[] = []
  for await (const body of readInbox(world.app.db, source, ending.signal)) {
    texts.push((body as { text: string }).text)
    if (texts.length === 2) void telegram.say({ message_id: 4, text: 'And after' })
    if (texts.length === 3) ending.abort()
  }
  expect(texts).toEqual(['Hello  there', 'Bye', 'And after'])
})

test('takes a batch with updates that have no id once', async () => {
  await telegram.write(7, '/start one')
  telegram.garble([null, 7, { message: { text: '/start none' } }, { update_id: 'x' }, { update_id: 2 ** 53 }])
  await telegram.write(7, '/start two')
  await telegram.write(7, '/start three')
  const { polls } = telegram
  telegram.garble([null], 'now')
  await telegram.write(7, '/start four')
  expect(commands.map(({ argument }) => argument)).toEqual(['one', 'two', 'three', 'four'])
  expect(telegram.polls - polls).toBeLessThan(5)
})

test('survives updates of any form', async () => {
  const chat = { id: -5, type: 'channel' }
  const hostile = fc.oneof(
    fc.record({ message: fc.jsonValue() }),
    fc.record({ my_chat_member: fc.jsonValue() }),
    fc.record({
      channel_post: fc.record({
        chat: fc.constantFrom(chat, { ...chat, id: 2 ** 60 }),
        message_id: fc.oneof(fc.integer(), fc.constant(2 ** 40)),
        text: fc.string({ unit: 'binary' }),
        is_automatic_forward: fc.boolean(),
        forward_origin: fc.record({ type: fc.string(), chat: fc.constant(chat), message_id: fc.integer() }),
      }),
    }),
  )
  for (const update of fc.sample(hostile, { numRuns: 60, seed: 7 }))
    void telegram.deliver(update as Record<string, unknown>)
  await telegram.write(7, '/start after')
  expect(commands.map(({ argument }) => argument)).toEqual(['after'])
})

test('the double serves the bot of grammY', async () => {
  await stop()
  const client = { apiRoot: `${double.base}/api.telegram.org` }
  const bot = new Bot(withBot.TELEGRAM_BOT_TOKEN, { client })
  const seen: string[] = []
  bot.command('start', (ctx) => void seen.push(ctx.match))
  bot.on('channel_post', (ctx) => void seen.push(ctx.channelPost.text ?? ''))
  const running = bot.start({ timeout: 50 })
  await telegram.post({ message_id: 1, text: 'A post' })
  await telegram.write(7, '/start token')
  await eventually(() => seen.length === 2)
  const { linked_chat_id: linked } = (await bot.api.getChat(telegram.chat.id)) as { linked_chat_id?: number }
  expect([seen, linked]).toEqual([['A post', 'token'], telegram.group.id])
  await bot.stop()
  await running
})
