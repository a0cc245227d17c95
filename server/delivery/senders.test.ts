// Senders: e-mail over SMTP, Telegram against the double of the Bot API, web push against a push service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import type { BotCommand } from '#server/core/telegram-bot.ts'
import { answerBotCommand } from '#server/domain/notifications/telegram-link.ts'
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { sendNotifications } from '#server/testing/outbox.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { type TelegramDouble, telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { pushService } from '#server/testing/push-service.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { sendByEmail, sendByTelegram } from './outbox.ts'
import { createHostBackoff } from './host-backoff.ts'
import { createPushSender } from './push.ts'

let world: World
let mail: Awaited<ReturnType<typeof mailServer>>
let telegram: TelegramDouble
let double: PlatformDouble
let push: Awaited<ReturnType<typeof pushService>>
beforeAll(async () => {
  mail = await mailServer()
  telegram = telegramDouble()
  double = await platformDouble([telegram.platform])
  double.tokens.add('*')
  push = await pushService()
  world = await testApp({
    ...mail.settings,
    ...withBot,
    PROVIDER_BASES: `telegram=${double.base}`,
    TELEGRAM_BOT_NAME: 'relaydeck_bot',
    PUBLIC_URL: 'https://live.example.com',
    ALLOW_PRIVATE_DESTINATIONS: 'on',
  })
})
afterAll(async () => {
  await world.close()
  await Promise.all([mail.close(), double.close(), push.close()])
})

const subscribe = (as: Person, path: string) => push.subscribe(world, as, path)
const runTest = async (as: Person) => {
  const { body } = await world.api(settings.test, { project_id: as.projectId }, { as })
  await sendNotifications(world)
  return body.sent
}
const command = (chatId: string, argument: string, kind: BotCommand['command'] = 'start'): BotCommand => ({
  command: kind,
  argument,
  chatId,
  name: 'Bob',
  login: 'bob',
  language: 'ru',
})
const tokenFor = async (as: Person) => {
  const { url } = (await world.api(settings.linkTelegram, {}, { as })).body
  return new URL(url).searchParams.get('start') ?? ''
}
const linkOf = async (as: Person) => (await world.api(settings.preferences, {}, { as })).body.telegram

test('an e-mail has a stable Message-ID, the link of the notification and that of the settings', async () => {
  const ann = await world.user()
  expect(await runTest(ann)).toEqual(['cabinet', 'email'])
  const sent = mail.got.find(({ to }) => to.includes(ann.email))
  const text = writtenOf(sent?.text ?? '')
  expect(text).toMatch(/^Message-ID: <[\da-f-]{36}@live\.example\.com>/im)
  expect(text).toMatch(/^Subject: Test notification/m)
  expect(text).toContain(`https://live.example.com/p/${ann.projectId}/notifications/settings`)
})

test('scenario 2: an e-mail is plain text, and hostile texts change neither its headers nor its links', async () => {
  const ann = await world.user()
  const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>\r\nBcc: eve@example.com\r\n\r\n<b>'
  const item = { kind: 'test', title: hostile, text: `${hostile}javascript:alert(1)`, link: '/p/1', date: '' }
  const message = { id: 'hostile', channel: 'email', userId: 1, projectId: 7, language: 'en', chatId: null } as const
  expect(await sendByEmail(world.services, { ...message, email: ann.email, items: [item] })).toEqual({ is: 'sent' })
  const { to, text = '' } = mail.got.find(({ to: [one] }) => one === ann.email) ?? {}
  expect(to).toEqual([ann.email])
  const [head = '', ...body] = text.split('\r\n\r\n')
  expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8/im)
  expect(head).not.toMatch(/^(Bcc|MIME-Version: 1\.0.*multipart)/im)
  expect(head).not.toMatch(/text\/html/i)
  expect(writtenOf(body.join('\r\n\r\n'))).toContain('<script>alert(1)</script>')
  expect(mail.got.flatMap((one) => one.to)).not.toContain('eve@example.com')
})

test('scenario 16: a token links one private chat once, within 15 minutes, and the bot names the account', async () => {
  const [ann, ben] = [await world.user('Ann'), await world.user('Ben')]
  const token = await tokenFor(ann)
  const say = (chat: string, argument: string, kind?: BotCommand['command']) =>
    answerBotCommand(world.services, command(chat, argument, kind))
  expect(await say('71', token)).toContain('account Ann')
  expect(await say('71', token)).toContain('account Ann')
  expect(await say('72', token)).toContain('Ссылка уже использована')
  expect(await linkOf(ann)).toMatchObject({ name: '@bob' })
  const late = await tokenFor(ben)
  world.clock.advance(15 * 60_000)
  const again = await world.signIn(ben)
  expect(await say('72', late)).toContain('Ссылка уже использована')
  expect(await linkOf(again)).toBe(null)
  const [older, newer] = [await tokenFor(again), await tokenFor(again)]
  expect(await say('72', older)).toContain('Ссылка уже использована')
  expect(await say('72', newer)).toContain('account Ben')
  expect(await say('72', '', 'stop')).toContain('больше не будут')
  expect(await linkOf(again)).toBe(null)
  const stored = await world.app.db.selectFrom('telegram_link_tokens').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(newer)
})

test('scenario 16: a chat that blocks the bot is unlinked, and the dashboard says so', async () => {
  const ann = await world.user()
  await answerBotCommand(world.services, command('81', await tokenFor(ann)))
  expect(await runTest(ann)).toContain('telegram')
  expect(telegram.sent.filter(({ chat_id }) => chat_id === '81')).toMatchObject([
    { text: expect.stringContaining('Test notification') },
  ])
  world.clock.advance(60_000)
  telegram.refuse('sendMessage', 403, 'Forbidden: bot was blocked by the user')
  await runTest(ann)
  expect(await linkOf(ann)).toBe(null)
  const { results } = (await world.api(history.list, {}, { as: ann })).body
  expect(results[0]?.text[0]?.title).toBe('Telegram did not reach you')
})

test('cuts a long message of Telegram before a character of two parts', async () => {
  const item = { kind: 'test', title: '', text: '😀'.repeat(2_000), link: null, date: '' }
  const message = { id: 'long', channel: 'telegram', userId: 1, projectId: 7, language: 'en', email: null } as const
  await sendByTelegram(world.services, { ...message, chatId: '84', items: [{ ...item, title: 'Odd' }] })
  await sendByTelegram(world.services, { ...message, chatId: '84', items: [{ ...item, title: 'Even' }] })
  const texts = telegram.sent.filter(({ chat_id }) => chat_id === '84').map(({ text }) => String(text))
  expect(texts.map((text) => [text.isWellFormed(), text.endsWith('😀')])).toEqual([
    [true, true],
    [true, true],
  ])
})

test('reports no failure of Telegram after its user has ended the link', async () => {
  const ann = await world.user()
  await answerBotCommand(world.services, command('82', await tokenFor(ann)))
  const { body } = await world.api(settings.test, { project_id: ann.projectId }, { as: ann })
  expect(body.sent).toContain('telegram')
  await world.api(settings.unlinkTelegram, {}, { as: ann })
  await sendNotifications(world)
  const { results } = (await world.api(history.list, {}, { as: ann })).body
  expect(results.map(({ name }) => name)).toEqual(['notification_test'])
})

test('sends small encrypted messages to browsers, follows no redirect, and removes ended subscriptions', async () => {
  const ann = await world.user()
  for (const path of ['/201/alive', '/410/gone', '/404/unknown', '/301/moved']) {
    expect((await subscribe(ann, path)).status).toBe(201)
  }
  expect(await runTest(ann)).toContain('mobile')
  const [alive] = push.got.filter(({ path }) => path === '/201/alive')
  expect(alive?.headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' })
  expect(alive?.headers['authorization']).toMatch(/^vapid t=/)
  expect(String(alive?.headers['topic'])).toMatch(/^[\da-f]{32}$/)
  expect(alive?.bytes).toBeLessThan(3_072)
  expect(push.got.map(({ path }) => path)).not.toContain('/201/redirected')
  const { devices } = (await world.api(settings.preferences, {}, { as: ann })).body
  expect(devices).toHaveLength(2)
  for (const { token } of devices) await world.api(settings.delMobileToken, { token }, { as: ann })
  expect(await runTest(ann)).not.toContain('mobile')
})

test('stores no address of a browser in plain text, and creates the keys once', async () => {
  const ann = await world.user()
  await subscribe(ann, '/201/secret-address')
  const other = await world.replica()
  const keys = await Promise.all(
    [world.app, other].map((through) => world.api(settings.preferences, {}, { as: ann, through })),
  )
  expect(new Set(keys.map(({ body }) => body.push_key)).size).toBe(1)
  const rows = await world.app.db.selectFrom('push_subscriptions').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('secret-address')
})

test('a browser that moves to a user with ten browsers replaces the oldest one', async () => {
  const [ann, bob] = [await world.user(), await world.user()]
  await subscribe(bob, '/201/moves')
  for (let index = 0; index < 10; index++) await subscribe(ann, `/201/${index}`)
  const { token } = (await subscribe(ann, '/201/moves')).body
  const { devices } = (await world.api(settings.preferences, {}, { as: ann })).body
  expect(devices).toHaveLength(10)
  expect(devices.at(-1)?.token).toBe(token)
})

test('a host of push services that fails three times is paused, other hosts are not', async () => {
  const closed = await pushService()
  await closed.close()
  const [eve, bob] = [await world.user(), await world.user()]
  await closed.subscribe(world, eve, '/201/eve')
  await subscribe(bob, '/201/bob')
  const send = createPushSender(createHostBackoff(world.clock))
  const item = { kind: 'k', title: 'Title', text: 'Text', link: null, date: '' }
  const to = ({ id: userId, projectId }: Person) => {
    const of = { id: 'm', channel: 'mobile', userId, projectId, language: 'en', email: null, chatId: null } as const
    return send(world.services, { ...of, items: [item] })
  }
  for (let n = 0; n < 3; n++) expect(await to(eve)).toEqual({ is: 'refused' })
  expect(await to(eve)).toEqual({ is: 'refused', retryAfterMs: 30_000 })
  expect(await to(bob)).toEqual({ is: 'sent' })
})
