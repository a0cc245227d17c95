// Images of sources and platforms: `SCREENSHOTS=on npm run e2e -- e2e/handbook-`. Not part of the tests.
import type { Locator, Page } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { languages } from '#contract/core/codes.ts'
import { around, imageTest as test, shoot } from '#e2e/fixtures/handbook-images.ts'
import { speak, textOf } from '#e2e/fixtures/language.ts'
import { liveLine, statusAt } from '#e2e/fixtures/live-line.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'

test.skip(!process.env['SCREENSHOTS'], 'only when asked for')
test.use({ viewport: { width: 1100, height: 900 }, colorScheme: 'light' })

const cardOf = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

for (const language of languages) {
  test(`sources in ${language}`, async ({ page, person, login, goto, api, service }) => {
    const { projectId } = person
    await login()
    await speak(page, language)
    await report(service.app.services, { rtmp: 'rtmp://live.example.com/live', pingHost: new URL(service.url).host })
    await goto(paths.ingest(projectId))
    const remote = cardOf(page, textOf(language, 'ingest', 'remote.title'))
    await remote.getByRole('textbox').fill('https://example.com/live/index.m3u8')
    await expect(remote.locator('a[href^="/help/"]')).toBeVisible()
    await shoot(page, language, 'remote-source', remote)
    const statistics = cardOf(page, textOf(language, 'ingest', 'stats.title'))
    await expect(statistics.locator('a[href^="/help/"]')).toBeVisible()
    await shoot(page, language, 'noalbs', statistics)

    const at = { rtmp_url: 'rtmp://live.example.com/live', stream_key: 'secret-key' }
    const { channel_id } = await api(addChannel.any, { project_id: projectId, type: 'youtube', name: 'Shorts', ...at })
    // The part has no background of its own: all of it has to be in the window.
    await page.setViewportSize({ width: 1100, height: 2400 })
    await goto(paths.channel(projectId, channel_id))
    const tracks = cardOf(page, textOf(language, 'channels', 'tracks.title'))
    await expect(tracks.getByRole('combobox').first()).toBeVisible()
    await shoot(page, language, 'tracks', await around(tracks))
  })

  test(`what a platform shows in ${language}`, async ({ page, person, login, goto }) => {
    await login()
    await speak(page, language)
    await page.setViewportSize({ width: 1440, height: 900 })
    const line = await liveLine(page)
    const status = statusAt(0, true)
    const seen = { since: null, checked: null } as const
    const states = ['seen', 'not_seen'] as const
    const restreams = status.restreams.slice(0, 2).map((restream, index) => ({
      ...restream,
      type: 'youtube',
      name: index === 0 ? 'YouTube' : 'YouTube 2',
      seen: { ...seen, state: states[index] ?? 'seen' },
    }))
    await page.route(`**${broadcasts.status.path}?*`, (route) => route.fulfill({ json: { ...status, restreams } }))
    void line.subscribed.then(() => line.push({ ...status, restreams }))
    await goto(paths.home(person.projectId))
    const list = cardOf(page, textOf(language, 'home', 'channels.title'))
    await expect(
      list.getByText(textOf(language, 'home', 'channels.seen.seen').replace('{{platform}}', 'YouTube')),
    ).toBeVisible()
    await expect(list.locator('a[href^="/help/"]')).toBeVisible()
    await shoot(page, language, 'platform-view', list)
  })
}
