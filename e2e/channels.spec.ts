// The channels of a project: switching, many at once, finding, and one channel's settings.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { ChannelsPage } from '#e2e/pages/channels-page.ts'
import { paths } from '#src/lib/paths.ts'
import { addAll } from './fixtures/channels.ts'
import { expect, test } from './fixtures/test.ts'

test('a switch shows at once what was asked for, and goes back when it is refused', async ({
  page,
  person,
  service,
  login,
  goto,
  watch,
}) => {
  watch.allow(/status of 400/)
  const seen = new ChannelsPage(page)
  await addAll(service.url, person, ['First', 'Second'])
  await addAll(service.url, person, ['Third'])
  await login()
  await goto(paths.channels(person.projectId))
  // The answer is held back, so that what is shown before it can be seen.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/method/channel/set-status', async (route) => {
    await held
    await route.continue()
  })
  const third = seen.switchOf('Third')
  await third.click()
  await expect(third).toBeChecked()
  await expect(third).toHaveAttribute('aria-busy', 'true')
  letGo()
  await expect(third).not.toBeChecked()
  await expect(seen.refusal('Third')).toContainText('Third stays off. The tariff allows 2 channels')

  await seen.switchOf('First').click()
  await expect(seen.switchOf('First')).not.toBeChecked()
  await third.click()
  await expect(third).toBeChecked()
  await expect(seen.refusal('Third')).toBeEmpty()
})

test('many at once: switched off, switched on, and given one title', async ({
  page,
  person,
  service,
  login,
  goto,
  api,
  watch,
}) => {
  watch.allow(/status of 400/)
  const seen = new ChannelsPage(page)
  await addAll(service.url, person, ['One', 'Two', 'Three'])
  const [page3] = await addAll(service.url, person, ['Fan page'], 'fb')
  await login()
  await goto(paths.channels(person.projectId))

  await seen.choose('One', 'Two', 'Three')
  await seen.bulk.getByRole('button', { name: 'Switch on' }).click()
  await expect(seen.bulk).toContainText('Nothing was switched. The tariff allows 2 channels to be switched on at once.')
  await seen.bulk.getByRole('button', { name: 'Choose all 4' }).click()
  await expect(seen.bulk).toContainText('4 chosen')
  await seen.bulk.getByRole('button', { name: 'Switch off' }).click()
  for (const name of ['One', 'Two', 'Three', 'Fan page']) await expect(seen.switchOf(name)).not.toBeChecked()

  await seen.bulk.getByRole('button', { name: 'Title and description' }).click()
  await seen.dialog.getByLabel('Title').fill('Friday night')
  await expect(seen.dialog).toContainText('12 / 140')
  await seen.dialog.getByRole('button', { name: 'Set on 4 channels' }).click()
  await expect(seen.dialog).toContainText('3 channels have the new title')
  await expect(seen.dialog).toContainText('Fan page')
  await seen.dialog.getByRole('button', { name: 'Close' }).click()
  const { results } = await api(channels.search, { project_id: person.projectId })
  expect(results.filter(({ group_id }) => group_id !== page3).map(({ streamInfo }) => streamInfo?.title)).toEqual([
    'Friday night',
    'Friday night',
    'Friday night',
  ])
})

test('search and filters live in the address', async ({ page, person, service, login, goto }) => {
  const seen = new ChannelsPage(page)
  await addAll(service.url, person, ['Chess', 'Cooking'])
  await addAll(service.url, person, ['Cooking too'], 'fb')
  await login()
  await goto(paths.channels(person.projectId))
  await seen.search.fill('cook')
  await expect(page).toHaveURL(/name=cook/)
  await expect(seen.row('Chess')).toBeHidden()
  await page.getByLabel('Platform', { exact: true }).selectOption('Facebook')
  await expect(seen.row('Cooking')).toBeHidden()
  await page.reload()
  await expect(seen.search).toHaveValue('cook')
  await expect(seen.row('Cooking too')).toBeVisible()
  await seen.search.fill('nothing')
  await page.getByRole('button', { name: 'Show all channels' }).click()
  await expect(seen.row('Chess')).toBeVisible()
})

test('one channel: named, told about the stream, sent elsewhere, delayed, deleted', async ({
  page,
  person,
  service,
  login,
  goto,
  api,
}) => {
  const [id = 0] = await addAll(service.url, person, ['Before'])
  const get = () => api(channels.get, { project_id: person.projectId, channel_id: id })
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const save = async (name: string) => {
    await card(name).getByRole('button', { name: 'Save' }).click()
    await expect(card(name).getByText('Saved.', { exact: true })).toBeVisible()
  }
  await login()
  await goto(paths.channel(person.projectId, id))

  await card('Name').getByLabel('Name').fill('After')
  await save('Name')
  await expect(page.getByRole('heading', { level: 1, name: 'After', exact: true })).toBeVisible()

  const about = card('About the stream')
  await about.getByLabel('Title').fill('x'.repeat(141))
  await expect(about).toContainText('141 / 140')
  await expect(about).toContainText('Title is longer than the platform takes.')
  await about.getByLabel('Title').fill('Chess at night')
  await about.getByLabel('Tags').fill('Chess, English')
  await expect(about.getByRole('figure')).toContainText('Chess at night')
  await save('About the stream')

  const key = card('Address and key').getByLabel('Stream key')
  await expect(key).toHaveValue('live_Before')
  await key.fill('live_another')
  await card('Address and key').getByLabel('Server').selectOption('RTMPS, nearest server')
  await save('Address and key')

  await card('Delay').getByLabel('Delay in seconds').fill('1201')
  await expect(card('Delay')).toContainText('1200 at most')
  await card('Delay').getByLabel('Delay in seconds').fill('15')
  await save('Delay')

  expect(await get()).toMatchObject({
    name: 'After',
    streamInfo: { title: 'Chess at night', tags: ['Chess', 'English'] },
    ingress_url: 'rtmps://live.twitch.tv:443/app',
    stream_key: 'live_another',
    delay: 15,
  })

  await page.getByRole('button', { name: 'Delete the channel…' }).click()
  await page.getByRole('dialog', { name: 'Delete After?' }).getByRole('button', { name: 'Delete the channel' }).click()
  await expect(page.getByText('No channels yet')).toBeVisible()
})

test('unsaved input of any form is asked about before the page is left', async ({
  page,
  person,
  service,
  login,
  goto,
}) => {
  const [id = 0] = await addAll(service.url, person, ['Mine'])
  await login()
  await goto(paths.channel(person.projectId, id))
  await page.getByLabel('Tags').fill('Chess')
  await page.getByLabel('Delay in seconds').fill('5')
  await page.getByRole('link', { name: 'All channels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Delay in seconds')).toHaveValue('5')
  await page.getByRole('link', { name: 'All channels' }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(new ChannelsPage(page).row('Mine')).toBeVisible()
})

test('what is wrong with a new channel is said where it is wrong', async ({ page, person, login, goto, watch }) => {
  watch.allow(/status of 400/)
  await login()
  await goto(`${paths.channels(person.projectId, 'add')}?platform=fb`)
  await page.getByRole('button', { name: 'Add channel' }).click()
  await expect(page.getByText('Without the key the platform does not know')).toBeVisible()
  await page.getByLabel('Server').selectOption('Another address')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com')
  await page.getByRole('button', { name: 'Add channel' }).click()
  await expect(page.getByText('An address begins with rtmp://').last()).toBeVisible()
  await page.getByRole('textbox', { name: 'Address' }).fill('rtmp://127.0.0.1/live')
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await expect(page.getByText('inside a private network')).toBeVisible()
})

test('a plan without custom addresses says so before the form is sent, and the way to another plan keeps what was typed', async ({
  page,
  person,
  login,
  goto,
  api,
}) => {
  const note = page.getByText('Your plan streams only to Twitch’s own servers.')
  await login()
  await goto(`${paths.channels(person.projectId, 'add')}?platform=custom`)
  await expect(page.getByText('Your plan has no custom addresses.')).toBeVisible()
  await goto(`${paths.channels(person.projectId, 'add')}?platform=twitch`)
  await expect(note).toBeHidden()
  await page.getByLabel('Server').selectOption('Another address')
  await expect(note).toBeVisible()
  const address = page.getByRole('textbox', { name: 'Address' })
  await address.fill('rtmp://fra05.contribute.live-video.net/app')
  await expect(note).toBeHidden()
  await address.fill('rtmp://media.example.org/live')
  await page.getByLabel('Stream key').fill('my-key')

  const opened = page.context().waitForEvent('page')
  await note.getByRole('link', { name: 'Start allows any address' }).click()
  const tariffs = await opened
  await expect(tariffs).toHaveURL(/plan=2/)
  await tariffs.close()
  const plan = { project_id: person.projectId, plan_restream_id: 2, period: 'month' } as const
  await api(restream.buy, plan)
  // The open page hears of the new plan.
  await expect(note).toBeHidden()
  await expect(address).toHaveValue('rtmp://media.example.org/live')
  await page.getByRole('button', { name: 'Add channel' }).click()
  await expect(new ChannelsPage(page).row('Twitch')).toBeVisible()
})

test('a viewer sees the channels, changes none, and never gets a key', async ({
  page,
  person,
  another,
  service,
  login,
  goto,
}) => {
  const seen = new ChannelsPage(page)
  const [id = 0] = await addAll(service.url, person, ['Mine'])
  const guest = await another({ name: 'Guest' })
  await service.app.db
    .updateTable('project_members')
    .set({ project_id: person.projectId, access_type: 0 })
    .where('project_id', '=', guest.projectId)
    .execute()
  await login(guest)
  await goto(paths.channels(person.projectId))
  await expect(seen.switchOf('Mine')).toHaveAttribute('aria-disabled', 'true')
  await expect(seen.switchOf('Mine')).toHaveAccessibleDescription('Only editors switch channels')
  await expect(page.getByRole('checkbox', { name: 'Choose Mine' })).toBeDisabled()
  await goto(paths.channel(person.projectId, id))
  await expect(page.getByText('Editors of the project change it.')).toBeVisible()
  await expect(page.getByLabel('Stream key')).toBeHidden()
  expect(await page.content()).not.toContain('live_Mine')
})

test('where the service has no bot, a channel of Telegram says so and asks for no chat', async ({
  page,
  person,
  api,
  login,
  goto,
}) => {
  const { channel_id: id } = await api(addChannel.telegram, {
    project_id: person.projectId,
    name: 'Telegram',
    rtmp_url: 'rtmps://dc4-1.rtmp.t.me/s',
    stream_key: '123:key',
  })
  await login()
  await goto(paths.channel(person.projectId, id))
  await expect(page.getByRole('region', { name: 'Comments from Telegram' })).toContainText('has no bot at Telegram')
})
