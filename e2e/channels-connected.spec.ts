// Channels of a connected account, against a double that responds as the platform's public documentation describes.
import { platforms } from '#contract/areas/channels/platforms.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { platformDouble } from '#server/testing/providers/double.ts'
import { youtubeDouble } from '#server/testing/providers/platforms.ts'
import { paths } from '#src/lib/paths.ts'
import { axe } from './fixtures/accessible.ts'
import { startService } from './fixtures/service.ts'
import { expect, opened, test as base } from './fixtures/test.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const double = await shared('youtube', () => opened(platformDouble([youtubeDouble])))
    double.tokens.add('access-1')
    await use(await shared('service with youtube', () => opened(startService(registeredAt(double.base)))))
  },
})

test('reads category, playlist and scheduled stream from the platform', async ({
  page,
  person,
  service,
  api,
  visit,
}) => {
  const { url } = await api(platforms.connect, { project_id: person.projectId, platform: 'youtube' })
  const state = new URL(url).searchParams.get('state') ?? ''
  const back = new URL(platforms.callback.path.replace('{provider}', 'youtube'), service.url)
  const answered = await fetch(`${back}?${new URLSearchParams({ state, code: 'good' })}`, { redirect: 'manual' })
  // The redirect URL carries the ticket that finishes the connection.
  const ticket = new URL(answered.headers.get('location') ?? '').hash.replace('#connect=', '')
  const { channel_id: id } = await api(platforms.finish, { state: ticket })
  if (id === null) throw new Error('Connecting made no channel')

  await visit(paths.channel(person.projectId, id))
  await expect(page.getByRole('region', { name: 'State' })).toContainText('Ann on air')

  const about = page.getByRole('region', { name: 'Broadcast details' })
  await about.getByLabel('Title').fill('Sunday show')
  await about.getByRole('button', { name: 'Choose category' }).click()
  const search = about.getByRole('combobox', { name: 'Category' })
  await expect(search).toBeFocused()
  await search.fill('gam')
  await page.getByRole('option', { name: 'Gaming' }).waitFor()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('listbox')).toBeHidden()
  await search.fill('gam')
  await page.getByRole('option', { name: 'Gaming' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(search).toHaveValue('Gaming')
  await about.getByLabel('Playlist').selectOption('Shows')
  const card = page.getByRole('region', { name: 'Settings' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.', { exact: true })).toBeVisible()
  expect((await api(channels.get, { project_id: person.projectId, channel_id: id })).streamInfo).toMatchObject({
    title: 'Sunday show',
    category: { id: '20', name: 'Gaming' },
    playlist: { id: 'PL1' },
  })

  const planned = page.getByRole('region', { name: 'Scheduled broadcast' })
  await planned.getByLabel('Next broadcast goes to').selectOption({ index: 1 })
  await expect(planned).toContainText('Every week')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.', { exact: true })).toBeVisible()
})
