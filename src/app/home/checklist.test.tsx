// Checklist before going live: server, encoder, channels.
import { within } from '@testing-library/react'
import { onTestFinished } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const step = async (index: number): Promise<HTMLElement> => {
  const items = within(await screen.findByRole('list', { name: 'Before you go live' })).getAllByRole('listitem')
  return items[index] ?? document.body
}
const server = () => step(0)
const encoder = () => step(1)
const channel = () => step(2)

test('shows which steps are done: server, copied address and key, tested channels', async ({
  open,
  user,
  person,
  service,
  api,
  answer,
}) => {
  const stream = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'live_One' }
  await api(addChannel.any, { project_id: person.projectId, type: 'twitch', name: 'One', ...stream })
  await report(service.services, { node: 'list-1', city: 'Lyon', pingHost: new URL(service.url).host })
  await open(paths.home(person.projectId))
  await expect.poll(server).toHaveTextContent('Done: Server Lyon is online')
  await expect.poll(encoder).toHaveTextContent('To do: Copy the address and stream key')
  await user.click(await button('Copy stream key', await encoder()))
  await expect.poll(encoder).toHaveTextContent('To do: Stream key copied. Copy the address as well')
  await user.click(await button('Copy address', await encoder()))
  await expect.poll(encoder).toHaveTextContent('To do: Address and stream key copied')
  await expect.poll(channel).toHaveTextContent('To do: 1 channel has not been tested')

  await user.click(within(await channel()).getByRole('link', { name: 'Channels' }))
  const row = async () => (await screen.findByRole('link', { name: 'One' })).closest('li') ?? document.body
  await expect.poll(row).toHaveTextContent('Not tested')
  answer(channels.test, () => Response.json({ reachable: false, reason: 'refused', latency: null }))
  const tested = { test_reason: 'refused', date_test: service.clock.now().toISOString() } as const
  await service.app.db.updateTable('channels').set(tested).where('owner_project_id', '=', person.projectId).execute()
  await user.click(await button('Test One', await row()))
  await expect.poll(row).toHaveTextContent('Test failed')
  expect(await row()).toHaveTextContent('The server refuses connections on this port.')
})

test('names an overloaded and a silent server as stream setup does', async ({ open, person, service }) => {
  const lyon = { node: 'list-1', city: 'Lyon', pingHost: new URL(service.url).host }
  const load = { network: 20, cpu: 92, ram: 40, delivered: 100 }
  const home = () => open(paths.home(person.projectId))
  const setup = () => open(paths.ingest(person.projectId))
  const radio = () => screen.findByRole('radio', { name: /Lyon/ })
  // The averages of the previous test's reports have expired.
  service.clock.advance(301_000)
  await report(service.services, { ...lyon, load })
  await home()
  const overloaded = 'Done: Server Lyon is online. It is overloaded now (quality 16 of 100), but accepts streams'
  await expect.poll(server).toHaveTextContent(overloaded)
  await setup()
  await expect.poll(radio).toHaveAccessibleName(/Overloaded/)
  service.clock.advance(120_000)
  await home()
  await expect.poll(server).toHaveTextContent('To do: Server Lyon stopped reporting')
  await setup()
  await expect.poll(radio).toHaveAccessibleName(/Not reporting/)
  service.clock.advance(600_000)
  await home()
  await expect.poll(server).toHaveTextContent('To do: No ingest server is online')

  const { relay } = service.services
  onTestFinished(() => void Object.assign(relay, { takenPorts: () => null }))
  Object.assign(relay, { takenPorts: () => [1935, 1936] })
  await setup()
  await screen.findByText('Another program uses the relay’s port (1935, 1936)')
  await home()
  await expect.poll(server).toHaveTextContent('another program uses the relay’s port (1935, 1936)')
})
