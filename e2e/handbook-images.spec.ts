// Images of the handbook: `SCREENSHOTS=on npm run e2e -- e2e/handbook-`. Not part of the tests.
import type { Locator, Page } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { languages } from '#contract/core/codes.ts'
import { around, imageTest as test, shoot } from '#e2e/fixtures/handbook-images.ts'
import { speak, textOf } from '#e2e/fixtures/language.ts'
import { signUp } from '#e2e/fixtures/person.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'

test.skip(!process.env['SCREENSHOTS'], 'only when asked for')
test.use({ viewport: { width: 1100, height: 900 }, colorScheme: 'light' })

const cardOf = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

/** Name of the bell, with any number of unread notifications. */
const bellIn = (language: string): RegExp =>
  new RegExp(textOf(language, 'notifications', 'bell.open').replace('{{count}}', String.raw`\d+`))

for (const language of languages)
  test(`images in ${language}`, async ({ page, person, login, goto, api, relay, service, watch }) => {
    const project = { project_id: person.projectId }
    const port = relay.platform.port
    const add = async (type: 'twitch' | 'youtube' | 'kick', name: string, rtmp_url: string) => {
      const { channel_id } = await api(addChannel.any, { ...project, type, name, rtmp_url, stream_key: 'secret-key' })
      await api(channels.setStatus, { channel_id, status: true })
    }
    await login()
    await speak(page, language)

    await api(restream.buy, { ...project, plan_restream_id: 4, period: 'month' })
    const rtmp = 'rtmp://live.example.com/live'
    const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }
    await report(service.app.services, { rtmp, ffmpeg, pingHost: new URL(service.url).host })

    await page.setViewportSize({ width: 1100, height: 620 })
    await goto(paths.channels(person.projectId, 'add'))
    await expect(page.getByText('Twitch')).toBeVisible()
    await shoot(page, language, 'add-channel', { x: 232, y: 56, width: 868, height: 464 })

    await page.setViewportSize({ width: 1100, height: 900 })
    await goto(paths.ingest(person.projectId))
    await page.getByText('Frankfurt').click()
    const encoder = cardOf(page, textOf(language, 'ingest', 'encoder.title'))
    await expect(encoder.getByRole('textbox').first()).toHaveValue(rtmp)
    await shoot(page, language, 'encoder', encoder)

    await add('twitch', 'Twitch', `rtmp://127.0.0.1:${port}/live`)
    await add('youtube', 'YouTube', `rtmp://127.0.0.1:${port}/live2`)
    await add('kick', 'Kick', 'rtmp://127.0.0.1:9/app')
    const { key } = await api(streamKeys.get, project)
    await relay.encode(key)
    await page.setViewportSize({ width: 1440, height: 900 })
    await goto(paths.home(person.projectId))
    const list = cardOf(page, textOf(language, 'home', 'channels.title'))
    await expect(list.getByText(textOf(language, 'live', 'state.live'), { exact: true })).toHaveCount(2)
    await expect(list.getByText(textOf(language, 'live', 'reason.refused'))).toBeVisible()
    // The bitrate of the channels, and the link to the article.
    await expect(list).not.toContainText(/· (?:–|0 )/)
    await expect(list.locator('a[href^="/help/"]')).toBeVisible()
    await shoot(page, language, 'channels', list)

    // A channel that another person shares, and the failed channel as soon as it is reported.
    const maria = await signUp(service.url, { name: 'Maria' })
    const of = { project_id: maria.projectId }
    const shared = { ...of, type: 'rutube', name: 'Maria', rtmp_url: `rtmp://127.0.0.1:${port}/live` } as const
    const { channel_id } = await api(addChannel.any, { ...shared, stream_key: 'secret-key' }, { as: maria })
    const { external_id: to_project_external_id } = await api(projects.select, { id: person.projectId })
    await api(channelInvites.addById, { ...of, channel_id, to_project_external_id, access_type: 1 }, { as: maria })
    // The token of the preview on Home expires when the clock advances.
    watch.allow(/status of 401/)
    service.clock.advance(60_000)
    await goto(paths.home(person.projectId))
    await page.getByRole('button', { name: bellIn(language) }).click()
    const bell = page.getByRole('region', { name: textOf(language, 'notifications', 'title'), exact: true })
    await expect(bell.getByRole('listitem').nth(2)).toBeVisible()
    // The corners of the panel would show parts of the page.
    await page.getByRole('main').evaluate((main) => (main.style.visibility = 'hidden'))
    await shoot(page, language, 'bell', await around(bell))
  })
