// Tests of parts of the settings card of a channel: its page, its tracks, and its silence.
import { within } from '@testing-library/react'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { paths } from '#src/lib/paths.ts'
import { button, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('saves, refuses and removes the page of a channel', async ({ open, user, fill, person, api }) => {
  const { projectId: project_id } = person
  const stream = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'live_1' }
  const { channel_id } = await api(addChannel.any, { project_id, type: 'twitch', name: 'Mine', ...stream })
  const saved = async () => (await api(channels.search, { project_id })).results[0]?.channel_url
  await open(paths.channel(project_id, channel_id))
  const card = await region('Settings')
  const save = async () => user.click(await button('Save', card))
  const label = 'Channel page'

  await fill(label, 'twitch')
  await save()
  await within(card).findByText('Enter the address of the page, such as twitch.tv/name.')
  expect(screen.getByLabelText(label)).toBeInvalid()
  expect(await saved()).toBe('')

  for (const [text, url] of [
    [' https://www.twitch.tv/robin ', 'https://www.twitch.tv/robin'],
    ['twitch.tv/robin', 'https://twitch.tv/robin'],
    ['', ''],
  ] as const) {
    await fill(label, text)
    await within(card).findByText('Unsaved changes.')
    await save()
    await expect.poll(saved).toBe(url)
    await expect.poll(() => screen.getByLabelText(label)).toHaveValue(url)
  }
})

test('saves the tracks of a channel, and offers what happens without them only for chosen ones', async ({
  open,
  user,
  person,
  api,
}) => {
  const { projectId: project_id } = person
  const stream = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'live_1' }
  const { channel_id } = await api(addChannel.any, { project_id, type: 'twitch', name: 'Mine', ...stream })
  const saved = async () => (await api(channels.search, { project_id })).results[0]?.tracks
  await open(paths.channel(project_id, channel_id))
  const card = await region('Settings')
  expect(await saved()).toEqual({ video: 'main', audio: 'main', missing: 'wait' })
  expect(screen.queryByLabelText('If the track is missing')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Picture'), 'Portrait picture')
  await user.selectOptions(screen.getByLabelText('Sound'), 'Sound of track 1')
  await user.selectOptions(screen.getByLabelText('If the track is missing'), 'Send the main track')
  await user.click(await button('Save', card))
  await expect.poll(saved).toEqual({ video: 'portrait', audio: '1', missing: 'main' })
  await open(paths.channel(project_id, channel_id))
  await expect.poll(() => screen.findByLabelText('Picture')).toHaveValue('portrait')
})

test('saves the silence and the ladder of a channel, and says what happens by itself', async ({
  open,
  user,
  person,
  api,
}) => {
  const { projectId: project_id } = person
  const stream = { rtmp_url: 'rtmp://a.rtmp.youtube.com/live2', stream_key: 'live_1' }
  const { channel_id } = await api(addChannel.any, { project_id, type: 'youtube', name: 'Mine', ...stream })
  const saved = async () => (await api(channels.search, { project_id })).results[0]?.silence
  await open(paths.channel(project_id, channel_id))
  const card = await region('Settings')
  const choice = await within(card).findByLabelText('Silence')
  expect(choice).toHaveDisplayValue('Automatic: send silence, because YouTube needs sound')
  await user.selectOptions(choice, 'Never send silence')
  await user.selectOptions(
    within(card).getByLabelText('If the channel is too slow'),
    'Keep the picture and drop frames',
  )
  await user.click(await button('Save', card))
  await expect.poll(saved).toBe('never')
  await expect.poll(async () => (await api(channels.search, { project_id })).results[0]?.ladder).toBe('off')
})
