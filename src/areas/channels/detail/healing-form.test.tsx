// Test of the switch for a new broadcast, on the real service beside the double of YouTube.
import { within } from '@testing-library/react'
import { afterAll } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { platformDouble } from '#server/testing/providers/double.ts'
import { youtubeDouble } from '#server/testing/providers/platforms.ts'
import { paths } from '#src/lib/paths.ts'
import { button, region } from '#src/testing/find.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'

const double = await platformDouble([youtubeDouble])
double.tokens.add('*')
afterAll(() => double.close())

const test = testWith(registeredAt(double.base))
const label = 'Make a new broadcast if YouTube no longer shows this one'

test('switches new broadcasts of a YouTube channel with an account, and says what viewers notice', async ({
  open,
  user,
  person,
  service,
  api,
}) => {
  const { projectId: project_id } = person
  const channel_id = (await connect(service, person, 'youtube')).body.channel_id ?? 0
  const saved = async () => (await api(channels.get, { project_id, channel_id })).healing
  expect(await saved()).toBe(false)
  for (const isOn of [true, false]) {
    await open(paths.channel(project_id, channel_id))
    const card = await region('Settings')
    await screen.findByText(/Viewers get a new address.*has the privacy of the old one/)
    const box = await screen.findByLabelText(label)
    expect((box as HTMLInputElement).checked).toBe(!isOn)
    await user.click(box)
    await within(card).findByText('Unsaved changes.')
    await user.click(await button('Save', card))
    await expect.poll(saved).toBe(isOn)
  }
})

test('offers it to no channel by key', async ({ open, person, api }) => {
  const { projectId: project_id } = person
  const stream = { rtmp_url: 'rtmp://a.rtmp.youtube.com/live2', stream_key: 'abcd' }
  const { channel_id } = await api(addChannel.any, { project_id, type: 'youtube', name: 'Mine', ...stream })
  await open(paths.channel(project_id, channel_id))
  await region('Settings')
  await screen.findByLabelText('Picture')
  expect(screen.queryByLabelText(label)).toBeNull()
})
