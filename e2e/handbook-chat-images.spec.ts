// Images of chat and notifications: `SCREENSHOTS=on npm run e2e -- e2e/handbook-`. Not part of the tests.
import type { Page } from '@playwright/test'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { live } from '#contract/areas/broadcasts/live.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { languages } from '#contract/core/codes.ts'
import { around, connectAccount, imageTest as test, shoot } from '#e2e/fixtures/handbook-images.ts'
import { speak, textOf } from '#e2e/fixtures/language.ts'
import { expect, type Fixtures } from '#e2e/fixtures/test.ts'
import type { Service } from '#e2e/fixtures/service.ts'
import { someMessage, someReader } from '#server/testing/chat.ts'
import { paths } from '#src/lib/paths.ts'

test.skip(!process.env['SCREENSHOTS'], 'only when asked for')
test.use({ viewport: { width: 1280, height: 700 }, colorScheme: 'light' })

/** Chats of the images: the platform, and the key of its source. */
const sources = { youtube: 'youtube:UC123', vkvideolive: 'vkvideolive:ann', kick: 'kick:123456' } as const
type Chat = keyof typeof sources

/** Messages of viewers: platform, name, text. */
const said: Readonly<Record<string, readonly (readonly [Chat, string, string])[]>> = {
  en: [
    ['youtube', 'Clara', 'Good evening! Sound and picture are great.'],
    ['kick', 'night_owl', 'Which microphone is that?'],
    ['vkvideolive', 'Maxim', 'First time here, hello from Kazan'],
    ['youtube', 'Tom R.', 'Will there be a recording?'],
    ['kick', 'pixelfox', 'The new overlay looks good'],
    ['youtube', 'Clara', 'How long are you live today?'],
  ],
  ru: [
    ['youtube', 'Клара', 'Добрый вечер! Звук и картинка отличные.'],
    ['kick', 'night_owl', 'Какой это микрофон?'],
    ['vkvideolive', 'Максим', 'Впервые здесь, привет из Казани'],
    ['youtube', 'Том Р.', 'Запись будет?'],
    ['kick', 'pixelfox', 'Новый оверлей смотрится здорово'],
    ['youtube', 'Клара', 'Сколько сегодня в эфире?'],
  ],
  cn: [
    ['youtube', '小林', '晚上好！声音和画面都很棒。'],
    ['kick', 'night_owl', '这是什么麦克风？'],
    ['vkvideolive', '马克西姆', '第一次来，大家好'],
    ['youtube', '汤姆', '会有录像吗？'],
    ['kick', 'pixelfox', '新的叠加层很好看'],
    ['youtube', '小林', '今天播多久？'],
  ],
}

/** Brings a project on air with three chats, and stores messages of their viewers. */
async function goOnAir(language: string, world: Pick<Fixtures, 'api' | 'person'> & { readonly service: Service }) {
  const { api, person, service } = world
  const project = { project_id: person.projectId }
  const status = await api(broadcasts.status, project)
  if (status.kind !== 'live') throw new Error('Nothing is on air')
  const broadcastId = status.broadcast_id
  const { results } = await api(live.restreams, { ...project, broadcast_id: broadcastId })
  const readers = new Map<string, Awaited<ReturnType<typeof someReader>>>()
  for (const { restream_id: restreamId, channel_type: type } of results) {
    const source = sources[type as Chat]
    const reader = await someReader(service.app, { broadcastId, restreamId, source })
    await reader.store({ is: 'state', state: 'reading' })
    readers.set(type, reader)
  }
  for (const [at, [chat, name, text]] of (said[language] ?? []).entries())
    await readers.get(chat)?.say(
      someMessage(`m${at}`, text, {
        sender: { id: name, name, badges: [], roles: ['Clara', 'Клара', '小林'].includes(name) ? ['moderator'] : [] },
        createdAt: service.clock.now(),
      }),
    )
}

async function shootOverlay(page: Page, language: string, address: string) {
  const overlay = await page.context().newPage()
  await overlay.setViewportSize({ width: 480, height: 380 })
  await overlay.goto(address)
  await expect(overlay.locator('.row').last()).toContainText(said[language]?.at(-1)?.[2] ?? '')
  // A plain colour in place of the picture behind the transparent page: a small file.
  await overlay.evaluate(() => {
    document.documentElement.style.background = '#3b4560'
  })
  await shoot(overlay, language, 'overlay', { x: 0, y: 0, width: 480, height: 380 })
  await overlay.close()
}

for (const language of languages)
  test(`chat and notifications in ${language}`, async ({ page, person, login, goto, api, relay, service }) => {
    const project = { project_id: person.projectId }
    await login()
    await speak(page, language)
    await api(restream.buy, { ...project, plan_restream_id: 4, period: 'month' })
    for (const platform of ['youtube', 'vkvideolive', 'kick'] as const) {
      const channel_id = await connectAccount(api, service.url, person.projectId, platform)
      await api(channels.setStatus, { channel_id, status: true })
    }
    await relay.encode((await api(streamKeys.get, project)).key)
    await goOnAir(language, { api, person, service })

    await goto(paths.chat(person.projectId))
    const last = said[language]?.at(-1)?.[2] ?? ''
    await expect(page.getByRole('log')).toContainText(last)
    // It loads after the page.
    await expect(page.getByRole('main').locator('a[href^="/help/"]')).toBeVisible()
    await shoot(page, language, 'chat', { x: 232, y: 56, width: 1048, height: 644 })

    const { key } = await api(keys.add, { ...project, name: 'OBS', rights: 'write' })
    await page.getByRole('button', { name: textOf(language, 'chat', 'side.keys') }).click()
    const side = page.getByRole('complementary', { name: textOf(language, 'chat', 'side.title') })
    const form = side.getByRole('form', { name: textOf(language, 'chat', 'keys.add') })
    await expect(side.getByRole('list', { name: textOf(language, 'chat', 'keys.title') })).toContainText('OBS')
    // As high as the panel: the page scrolls otherwise.
    await page.setViewportSize({ width: 1280, height: 1240 })
    await expect(form).toBeInViewport({ ratio: 1 })
    // The column is as high as the chat beside it.
    await side.evaluate((column) => (column.style.alignSelf = 'start'))
    await shoot(page, language, 'overlay-keys', await around(side))
    await page.setViewportSize({ width: 1280, height: 700 })
    await shootOverlay(page, language, `${service.url}/overlay/chat#key=${key}`)
    const dock = await page.context().newPage()
    await dock.setViewportSize({ width: 420, height: 560 })
    await dock.goto(`${paths.chatDock()}#key=${key}`)
    await expect(dock.getByRole('log')).toContainText(last)
    await shoot(dock, language, 'dock', { x: 0, y: 0, width: 420, height: 560 })
    await dock.close()

    await goto(paths.notifications(person.projectId, 'settings'))
    await expect(page.getByRole('table')).toBeVisible()
    await shoot(page, language, 'notification-settings', await around(page.getByRole('table')))
  })
