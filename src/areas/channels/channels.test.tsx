// Tests of channels: switches, bulk changes, filters, rights.
import { waitFor, within } from '@testing-library/react'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog, region } from '#src/testing/find.ts'
import { share } from '#server/testing/channels.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { expect, screen, test as base } from '#src/testing/page-test.tsx'
import type { PageFixtures } from '#src/testing/page-test.tsx'

const addresses = { twitch: 'rtmp://live.twitch.tv/app', fb: 'rtmps://live-api-s.facebook.com:443/rtmp' } as const

type Add = (names: readonly string[], type?: keyof typeof addresses) => Promise<number[]>

const test = base.extend<{ add: Add }>({
  add: ({ api, person }: PageFixtures, use: (add: Add) => Promise<void>) =>
    use(async (names, type = 'twitch') => {
      const ids: number[] = []
      for (const name of names) {
        const stream = { rtmp_url: addresses[type], stream_key: `live_${name.replaceAll(' ', '_')}` }
        ids.push((await api(addChannel.any, { project_id: person.projectId, type, name, ...stream })).channel_id)
      }
      return ids
    }),
})

const switchOf = (name: string) => screen.findByRole('switch', { name: `Stream to ${name}` })
const link = (name: string) => screen.queryByRole('link', { name })
const refusal = async (name: string) => {
  const row = (await screen.findByRole('link', { name })).closest('li')
  if (!row) throw new Error(`${name} is not in the list`)
  return within(row).findByRole('alert')
}

test('shows a switch as requested immediately, and reverts it when the service refuses', async ({
  open,
  user,
  person,
  add,
  answer,
}) => {
  await add(['First', 'Second'])
  await add(['Third'])
  // The response is delayed so that the test sees the optimistic state.
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  answer(channels.setStatus, async (send) => {
    await held
    return send()
  })
  await open(paths.channels(person.projectId))
  await user.click(await switchOf('Third'))
  await expect.poll(() => switchOf('Third')).toBeChecked()
  expect(await switchOf('Third')).toHaveAttribute('aria-busy', 'true')
  release()
  await expect.poll(() => switchOf('Third')).not.toBeChecked()
  await expect.poll(() => refusal('Third')).toHaveTextContent('Third stays off. Your plan allows 2 channels')

  await user.click(await switchOf('First'))
  await expect.poll(() => switchOf('First')).not.toBeChecked()
  await user.click(await switchOf('Third'))
  await expect.poll(() => switchOf('Third')).toBeChecked()
  await expect.poll(() => refusal('Third')).toBeEmptyDOMElement()
})

test('switches many channels and gives them one title', async ({ open, user, person, add, api, fill }) => {
  await add(['One', 'Two', 'Three'])
  const [fanPage] = await add(['Fan page'], 'fb')
  await open(paths.channels(person.projectId))
  for (const name of ['One', 'Two', 'Three'])
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  const bulk = () => region('Selected channels')
  await user.click(await button('Switch on', await bulk()))
  await expect.poll(bulk).toHaveTextContent('No channels were switched. Your plan allows 2 channels at once.')
  await user.click(await button('Select all 4', await bulk()))
  await expect.poll(bulk).toHaveTextContent('4 selected')
  await user.click(await button('Switch off', await bulk()))
  for (const name of ['One', 'Two', 'Three', 'Fan page']) await expect.poll(() => switchOf(name)).not.toBeChecked()

  await user.click(await button('Title and description', await bulk()))
  await fill('Title', 'Friday night')
  expect(await dialog()).toHaveTextContent('12 / 140')
  await user.click(await button('Update 4 channels', await dialog()))
  // Added by key: nothing is sent to the platform.
  await expect.poll(() => dialog()).toHaveTextContent('0 channels updated')
  await expect.poll(() => dialog()).toHaveTextContent('Three – saved here, but the channel was added by key')
  await expect.poll(() => dialog()).toHaveTextContent('Fan page')
  await user.click(await button('Close', await dialog()))
  const { results } = await api(channels.search, { project_id: person.projectId })
  const titles = results.filter(({ group_id }) => group_id !== fanPage).map(({ streamInfo }) => streamInfo?.title)
  expect(titles).toEqual(['Friday night', 'Friday night', 'Friday night'])
})

test('offers an RTMP address where no platform is found', async ({ open, user, person }) => {
  await open(paths.channels(person.projectId, 'add'))
  await user.type(await screen.findByRole('searchbox', { name: 'Search platforms' }), 'nowhere')
  await screen.findByText('No platform has this name. Enter its RTMP or SRT address instead.')
  const tiles = within(screen.getByRole('list', { name: 'Platforms' })).getAllByRole('link')
  expect(tiles.map((tile) => tile.getAttribute('href'))).toEqual([expect.stringMatching(/\?platform=custom$/)])
})

test('stores search and filters in the URL', async ({ open, user, person, add, fill }) => {
  await add(['Chess', 'Cooking'])
  await add(['Cooking too'], 'fb')
  await open(paths.channels(person.projectId))
  const search = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search by name' })
  await screen.findByRole('link', { name: 'Chess' })
  await user.type(await search(), 'cook')
  await expect.poll(() => location.search).toContain('name=cook')
  await expect.poll(() => link('Chess')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Platform'), 'Facebook')
  await expect.poll(() => link('Cooking')).toBeNull()
  await open(location.pathname + location.search)
  expect(await search()).toHaveValue('cook')
  await screen.findByRole('link', { name: 'Cooking too' })
  await fill('Search by name', 'nothing')
  await user.click(await button('Show all channels'))
  await screen.findByRole('link', { name: 'Chess' })
})

test('changes one channel by one Save: name, address, delay; then deletes it', async ({
  open,
  user,
  person,
  add,
  fill,
  api,
}) => {
  const [id = 0] = await add(['Before'])
  await open(paths.channel(person.projectId, id))
  const card = await region('Settings')
  const note = within(card).getByRole('status', { name: '' })
  const save = async () => user.click(await button('Save', card))
  expect(await button('Save', card)).toHaveAccessibleDescription('No changes to save.')
  await fill('Name', 'After')
  expect(screen.getByLabelText('Stream key')).toHaveValue('live_Before')
  await fill('Stream key', 'live_another')
  await user.selectOptions(screen.getByLabelText('Server'), 'RTMPS, nearest server')
  await fill('Delay in seconds', '1201')
  await expect.poll(() => region('Output')).toHaveTextContent('up to 1200')
  await save()
  // The other parts are saved, the wrong one keeps its input.
  await screen.findByRole('heading', { level: 1, name: 'After' })
  await expect.poll(() => note).toHaveTextContent('Unsaved changes.')
  expect(screen.getByLabelText('Delay in seconds')).toHaveValue('1201')
  await fill('Delay in seconds', '15')
  await save()
  await expect.poll(() => note).toHaveTextContent('Saved.')

  expect(await api(channels.get, { project_id: person.projectId, channel_id: id })).toMatchObject({
    name: 'After',
    ingress_url: 'rtmps://live.twitch.tv:443/app',
    stream_key: 'live_another',
    delay: 15,
  })
  await user.click(await button('Delete channel…'))
  await user.click(await button('Delete channel', await dialog('Delete After?')))
  await screen.findByText('No channels yet')
})

test('has fields for the title only where an account takes it to the platform', async ({ open, person, add }) => {
  const [id = 0] = await add(['By key'])
  await open(paths.channel(person.projectId, id))
  const card = await region('Settings')
  await within(card).findByText(/^Title and description are set on Twitch/)
  expect(within(card).queryByLabelText('Title')).toBeNull()
  const connect = within(card).getByRole('link', { name: 'Connect account' })
  expect(connect.getAttribute('href')).toMatch(/\/channels\/add\?platform=twitch$/)
})

test('refuses the address and key of another channel, with a link to it', async ({ open, user, person, add, fill }) => {
  const [first = 0, second = 0] = await add(['First', 'Second'])
  const linkTo = async (inside: HTMLElement) =>
    (await within(inside).findByRole('link', { name: /^Open channel/ })).getAttribute('href')
  await open(`${paths.channels(person.projectId, 'add')}?platform=twitch`)
  await fill('Stream key', 'live_First')
  await user.click(await button('Add channel'))
  const form = await region('By address and key')
  await within(form).findByText(/The channel “First” of this project already has this address and key\./)
  expect(await linkTo(form)).toBe(paths.channel(person.projectId, first))

  await fill('Stream key', '')
  await open(paths.channel(person.projectId, second))
  await fill('Stream key', 'live_First')
  const card = await region('Settings')
  await user.click(await button('Save', card))
  expect(await linkTo(card)).toBe(paths.channel(person.projectId, first))
  expect(card).toHaveTextContent('Not saved.')
})

test('confirms navigation away from unsaved input of any form', async ({ open, user, person, add, fill }) => {
  const [id = 0] = await add(['Mine'])
  await open(paths.channel(person.projectId, id))
  await fill('Name', 'Chess')
  await fill('Delay in seconds', '5')
  await user.click(screen.getByRole('link', { name: 'All channels' }))
  await user.click(await button('Stay', await dialog('Leave without saving?')))
  expect(screen.getByLabelText<HTMLInputElement>('Delay in seconds').value).toBe('5')
  await user.click(screen.getByRole('link', { name: 'All channels' }))
  await user.click(await button('Leave without saving', await dialog('Leave without saving?')))
  await screen.findByRole('link', { name: 'Mine' })
})

test('shows errors of a new channel beside their fields', async ({ open, user, person, fill }) => {
  await open(`${paths.channels(person.projectId, 'add')}?platform=fb`)
  await user.click(await button('Add channel'))
  await screen.findByText(/Enter the stream key/)
  await user.selectOptions(screen.getByLabelText('Server'), 'Another address')
  await fill('Address', 'https://example.com')
  await user.click(await button('Add channel'))
  await expect.poll(() => screen.queryAllByText(/The address must start with rtmp:\/\//).length).toBeGreaterThan(0)
  await fill('Address', 'rtmp://127.0.0.1/live')
  await user.click(await button('Test connection'))
  await screen.findByText(/in a private network/)
})

test('a channel whose address failed its test in the form says so after it was added', async ({
  open,
  user,
  person,
  api,
  fill,
}) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  await open(`${paths.channels(person.projectId, 'add')}?platform=custom`)
  await fill('Address', 'rtmp://nowhere.example/live')
  await fill('Stream key', 'my-key')
  await user.click(await button('Test connection'))
  await screen.findByText('Server name not found.')
  await user.click(await button('Add channel'))
  await screen.findByText('Test failed')
})

test('adds an SRT address by the form for any address, without a key, and masks it afterwards', async ({
  open,
  user,
  person,
  api,
  fill,
}) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  await open(`${paths.channels(person.projectId, 'add')}?platform=custom`)
  await fill('Address', 'http://media.example.org')
  await user.click(await button('Add channel'))
  await screen.findByText('The address must start with rtmp://, rtmps:// or srt://')
  await fill('Address', 'srt://media.example.org:9000?passphrase=short')
  await screen.findByText(/SRT needs ffmpeg on the server, and costs it more than RTMP/)
  expect(screen.queryByLabelText('Stream key')).toBeNull()
  await fill('Name', 'Studio')
  await user.click(await button('Add channel'))
  await screen.findByText('The passphrase needs 10 to 79 characters')
  await fill('Address', 'srt://media.example.org:9000?streamid=studio&passphrase=long-enough')
  await user.click(await button('Add channel'))
  const toggle = await screen.findByRole('switch', { name: /Studio/ })
  expect(toggle).toBeChecked()
  await user.click(screen.getByRole('link', { name: 'Studio' }))
  const field = await screen.findByRole('textbox', { name: 'Address' })
  expect(field).toHaveValue('srt://media.example.org:9000?streamid=studio&passphrase=long-enough')
  expect(field).toHaveAttribute('data-masked')
  expect(document.body.textContent).not.toContain('long-enough')
})

test('names the plan with custom addresses, and keeps the input when that plan is bought', async ({
  open,
  user,
  person,
  api,
  fill,
}) => {
  const note = () => screen.queryByText(/only Twitch’s own servers\./)
  await open(`${paths.channels(person.projectId, 'add')}?platform=custom`)
  await screen.findByText(/Your plan does not include custom RTMP addresses\./)
  await open(`${paths.channels(person.projectId, 'add')}?platform=twitch`)
  await screen.findByLabelText('Server')
  expect(note()).toBeNull()
  await user.selectOptions(screen.getByLabelText('Server'), 'Another address')
  await expect.poll(note).not.toBeNull()
  await fill('Address', 'rtmp://fra05.contribute.live-video.net/app')
  await expect.poll(note).toBeNull()
  await fill('Address', 'rtmp://media.example.org/live')
  await fill('Stream key', 'my-key')
  const plan = await screen.findByRole('link', { name: /Upgrade to Start/ })
  expect(plan).toHaveAttribute('target', '_blank')
  expect(plan.getAttribute('href')).toMatch(/plan=2/)

  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  // The open page receives the new plan through its realtime connection.
  await expect.poll(note).toBeNull()
  expect(screen.getByLabelText('Address')).toHaveValue('rtmp://media.example.org/live')
  await user.click(await button('Add channel'))
  await screen.findByRole('link', { name: 'Twitch' })
})

test('shows a viewer the channels without switches, forms and keys', async ({
  open,
  person,
  another,
  service,
  add,
}) => {
  const [id = 0] = await add(['Mine'])
  const guest = await another('Guest')
  await service.join(guest, person.projectId, 0)
  await open(paths.channels(person.projectId), guest)
  await expect.poll(() => switchOf('Mine')).toHaveAttribute('aria-disabled', 'true')
  expect(await switchOf('Mine')).toHaveAccessibleDescription(/^Only editors and owners/)
  expect(screen.getByRole('checkbox', { name: 'Select Mine' })).toBeDisabled()
  await open(paths.channel(person.projectId, id), guest)
  await screen.findByText(/Only editors and owners can change it\./)
  expect(screen.queryByLabelText('Stream key')).toBeNull()
  expect(document.documentElement.outerHTML).not.toContain('live_Mine')
  await open(paths.channels(person.projectId, 'add'), guest)
  await screen.findByText('Only editors and owners can add channels to this project.')
})

test('shows a borrowed channel without its name, address and key, which its owner sets', async ({
  open,
  user,
  fill,
  person,
  another,
  service,
  add,
}) => {
  const [id = 0] = await add(['Mine'])
  const guest = await another('Guest')
  await share(service, id, guest.projectId, 1)
  await open(paths.channel(guest.projectId, id), guest)
  await screen.findByText('The project that shares this channel sets its name, address and key.')
  for (const label of ['Stream key', 'Address', 'Channel page', 'Name'])
    expect(screen.queryByLabelText(label)).toBeNull()
  expect(document.documentElement.outerHTML).not.toMatch(/•{3}|live_Mine/)
  // The delay belongs to this project.
  const card = await region('Settings')
  await fill('Delay in seconds', '7')
  await user.click(await button('Save', card))
  await within(card).findByText('Saved.')

  await open(paths.channel(person.projectId, id), person)
  await screen.findByLabelText('Stream key')
  expect(screen.queryByText(/The project that shares this channel/)).toBeNull()
})

test('says that the service has no Telegram bot', async ({ open, person, api }) => {
  const stream = { rtmp_url: 'rtmps://dc4-1.rtmp.t.me/s', stream_key: '123:key' }
  const { channel_id: id } = await api(addChannel.telegram, {
    project_id: person.projectId,
    name: 'Telegram',
    ...stream,
  })
  await open(paths.channel(person.projectId, id))
  await expect.poll(() => region('Comments from Telegram')).toHaveTextContent('No Telegram bot is set up')
})

test('says that a live channel waits while its broadcast is paused', async ({ open, person, service, add, api }) => {
  const node = someNodeOf(service)
  const [id = 0] = await add(['Evening'])
  await api(channels.setStatus, { channel_id: id, status: true })
  const broadcast = await beginBroadcast(service, person, node)
  await node.channel(person.projectId, id, 'live')
  const row = async () => (await screen.findByRole('link', { name: 'Evening' })).closest('li')
  await open(paths.channels(person.projectId))
  expect(await row()).toHaveTextContent('Live')
  await api(broadcasts.pause, broadcast)
  await open(paths.channels(person.projectId))
  await waitFor(async () => expect(await row()).toHaveTextContent('Waiting'))
  expect(await row()).not.toHaveTextContent('Live')
  await open(paths.channel(person.projectId, id))
  expect(await screen.findByText(/^Your broadcast is paused\./)).toBeVisible()
})
