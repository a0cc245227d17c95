// Tests of transcoders: created for a channel, shown on air, deleted.
import { within } from '@testing-library/react'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { goOnAir, report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }

test('creates a transcoder, shows it on air, and deletes it', async ({ open, user, person, api, service, fill }) => {
  const mine = { project_id: person.projectId }
  const stream = { rtmp_url: 'rtmp://ingest.example.com/live', stream_key: 'key' }
  await api(addChannel.any, { ...mine, type: 'twitch', name: 'Small stage', ...stream })
  await report(service.services, { ffmpeg, pingHost: new URL(service.url).host })
  await open(paths.ingest(person.projectId, 'transcoders'))
  await screen.findByText('No transcoders yet')

  await user.click(await button('New transcoder'))
  const form = await dialog('New transcoder')
  await fill('Name', 'Half')
  await fill('Video, kbps', '12')
  await within(form).findByText('100 to 100000, or empty.')
  await fill('Video, kbps', '600')
  await user.click(within(form).getByLabelText('Small stage'))
  await user.click(await button('New transcoder', form))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  const row = async () => {
    const items = await screen.findAllByRole('listitem')
    return items.find(({ textContent }) => textContent.includes('Half')) ?? document.body
  }
  await expect.poll(row).toHaveTextContent('H.264 · 1280×720 · 30 fps · 600 kbps')
  expect(await row()).toHaveTextContent('Off air')

  const [made] = (await api(transcoders.list, mine)).results
  const since = service.clock.now().getTime()
  const sample = { id: made?.id ?? 0, running: true, since, reason: null, kbps: 2480, lagMs: 300, restarts: 1 }
  await goOnAir(service.services, person.projectId, { transcoders: [sample] })
  await open(paths.ingest(person.projectId, 'transcoders'))
  await expect.poll(row).toHaveTextContent('Running')
  await expect.poll(row).toHaveTextContent('2,480 kbps now, 0.3 s behind the input. Restarted 1 time.')
  await user.click(await button('Stop', await row()))
  await expect.poll(row).toHaveTextContent('Its channels get nothing until you start it.')
  await user.click(await button('Start', await row()))
  await expect.poll(row).toHaveTextContent('Running')

  await user.click(within(await row()).getByRole('link', { name: 'Small stage' }))
  await expect.poll(() => screen.findByLabelText('Transcoder')).toHaveValue(String(made?.id))
  await user.selectOptions(screen.getByLabelText('Transcoder'), 'Original stream, unchanged')
  await user.click(await button('Save', await region('Settings')))
  await expect.poll(() => region('Settings')).toHaveTextContent('Saved')

  await user.click(screen.getByRole('link', { name: 'Open transcoders' }))
  await expect.poll(row).toHaveTextContent('Not needed')
  await user.click(await button('Delete Half', await row()))
  await user.click(await button('Delete transcoder'))
  await screen.findByText('No transcoders yet')
})
