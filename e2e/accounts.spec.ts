// Connected accounts in a browser: a local OpenID Provider stands in for Google.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { paths } from '#src/lib/paths.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { openIdDouble } from '#server/testing/providers/openid.ts'
import { twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { axe } from './fixtures/accessible.ts'
import { startService } from './fixtures/service.ts'
import { expect, opened, test as base } from './fixtures/test.ts'

const telegram = telegramDouble()

const test = base.extend<{ readonly platform: PlatformDouble }>({
  platform: async ({ shared }, use) => {
    const double = await shared('platforms', () =>
      opened(platformDouble([youtubeDouble, twitchDouble, telegram.platform])),
    )
    double.tokens.add('*')
    await use(double)
  },
  service: async ({ shared, platform }, use) => {
    const google = await shared('google of the platforms', () => opened(openIdDouble(platform.handle)))
    const environment = {
      ...registeredAt(google.base),
      ...withBot,
      // Two platforms that fail: without registration, and without a response.
      TROVO_CLIENT_ID: '',
      PROVIDER_BASES: `google=${google.base},twitch=http://127.0.0.1:9,telegram=${platform.base}`,
    }
    await use(await shared('service with platforms', () => opened(startService(environment))))
  },
})

test.beforeEach(({ watch }) => watch.allow(/third party: http:\/\/127\.0\.0\.1/))

test('connects an account at the platform and adds its channel with address and key', async ({
  page,
  person,
  platform,
  expectNoTokenLeak,
  visit,
}) => {
  await visit(paths.channels(person.projectId, 'accounts'))
  await expect(page.getByText('No accounts yet')).toBeVisible()
  await page.getByRole('button', { name: 'Connect YouTube' }).click()
  await expect(page.getByRole('heading', { name: 'Allow access?' })).toBeVisible()
  await page.getByRole('button', { name: 'Allow' }).click()

  await expect(page.getByText('Ann on air (YouTube) is connected. Its channel is ready and on.')).toBeVisible()
  await expect.poll(() => new URL(page.url()).hash).toBe('')
  const row = page.getByRole('list', { name: 'Connected accounts' }).getByRole('listitem')
  await expect(row).toContainText('YouTube · 1 channel')
  await expect(row).toContainText('Connected')
  expect(await axe(page)).toEqual([])
  await expectNoTokenLeak()

  await page.getByRole('link', { name: 'Channel settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ann on air' })).toBeVisible()
  const about = page.getByRole('region', { name: 'Broadcast details' })
  await about.getByLabel('Title').fill('Final')
  const card = page.getByRole('region', { name: 'Settings' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.', { exact: true })).toBeVisible()
  expect(platform.calls).toContain('PUT www.googleapis.com/youtube/v3/videos')
  platform.check()
})

test('keeps everything and shows the reason when consent is denied or the platform is unreachable', async ({
  page,
  person,
  watch,
  visit,
}) => {
  watch.allow(/status of 400/)
  await visit(paths.channels(person.projectId, 'accounts'))
  await page.getByRole('button', { name: 'Connect YouTube' }).click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(
    page.getByText('Could not connect the account. You did not approve access on the platform.'),
  ).toBeVisible()
  await expect(page.getByText('No accounts yet')).toBeVisible()

  await expect(page.getByText(/is not set up to connect accounts of .*Trovo/)).toBeVisible()
  await page.getByRole('region', { name: 'Connect account' }).getByRole('link', { name: 'Add channel' }).click()
  await page.getByRole('link', { name: /^Trovo/ }).click()
  await expect(page.getByText('Trovo sign-in is not set up on this server')).toBeVisible()
  await expect(page.getByText('TROVO_CLIENT_ID')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Trovo' })).toBeVisible()
})

test('confirms before removing an account, and keeps its channel', async ({ page, person, api, visit }) => {
  await visit(`${paths.channels(person.projectId, 'add')}?platform=youtube`)
  await page.getByRole('button', { name: 'Connect YouTube' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Remove Ann on air' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Ann on air?' })
  await expect(dialog).toContainText('1 channel keeps its current key')
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove account' }).click()
  await expect(page.getByText('No accounts yet')).toBeVisible()
  const { results } = await api(channels.search, { project_id: person.projectId })
  expect(results).toMatchObject([{ name: 'Ann on air', account: null }])
  const place = { project_id: person.projectId, channel_id: results[0]?.group_id ?? 0 }
  await expect(api(settings.updateToken, { ...place, role: 'account' })).rejects.toThrow()
})

test('connects a Telegram chat by a code posted there', async ({ page, person, api, visit }) => {
  const { channel_id: id } = await api(addChannel.telegram, {
    project_id: person.projectId,
    name: 'Telegram',
    rtmp_url: 'rtmps://dc4-1.rtmp.t.me/s',
    stream_key: '123:key',
  })
  await visit(paths.channel(person.projectId, id))
  const card = page.getByRole('region', { name: 'Comments from Telegram' })
  await card.getByRole('button', { name: 'Connect chat' }).click()
  await expect(card).toContainText('Make @relaydeck_bot an administrator')
  expect(await axe(page)).toEqual([])
  await telegram.post({ message_id: 1, text: (await card.getByRole('code').textContent()) ?? '' })
  await telegram.post({ message_id: 2, text: 'Tonight at eight' })
  await card.getByRole('button', { name: 'I have posted it' }).click()
  await expect(card).toContainText('Now: Tonight at eight')
  await expect(page.getByRole('region', { name: 'Connected chat' })).toContainText('Ann on air · @annlive')
  await card.getByLabel('Comments on').selectOption('Selected post')
  const whole = page.getByRole('region', { name: 'Settings' })
  await whole.getByRole('button', { name: 'Save' }).click()
  await expect(whole.getByText('Saved.', { exact: true })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Disconnect chat' }).click()
  await expect(card.getByRole('button', { name: 'Connect chat' })).toBeVisible()
})
