// Home while off air: guide of the first run, checklist afterwards, notes about servers.
import { within } from '@testing-library/react'
import { onTestFinished } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { report } from '#server/testing/nodes.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { paths } from '#src/lib/paths.ts'
import { button, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const stream = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'live_One' }
const main = () => screen.getByRole('main')
/** Filled buttons and links: those that the page leads to. */
const primary = () => [...main().querySelectorAll('[class*=filled]')].map(({ textContent }) => textContent)

test('leads a new project from a channel to the encoder, with one primary button at a time', async ({
  open,
  user,
  person,
  service,
}) => {
  await report(service.services, { node: 'list-1', city: 'Lyon', pingHost: new URL(service.url).host })
  await open(paths.home(person.projectId))
  await region('Your first broadcast')
  expect(primary()).toEqual(['Add a channel'])
  expect(main()).not.toHaveTextContent(/server|plan|API|Team/i)
  await user.click(screen.getByRole('link', { name: 'Add a channel' }))
  await user.click(await screen.findByRole('link', { name: /^Twitch/ }))
  await user.type(await screen.findByLabelText('Stream key'), 'live_One')
  await user.click(await button('Add channel'))
  await expect.poll(() => location.pathname).toBe(paths.home(person.projectId))
  await expect.poll(primary).toEqual(['Copy address'])
  expect(main()).toHaveTextContent('Done: Add a channelTwitch')
  await user.click(await button('Copy address'))
  await expect.poll(primary).toEqual(['Copy stream key'])
  await user.click(await button('Copy stream key'))
  await screen.findByText('Waiting for your stream')
  expect(primary()).toEqual([])
})

test('shows a viewer the steps without actions', async ({ open, person, service, another }) => {
  const viewer = await another('Vera')
  await service.join(viewer, person.projectId, 0)
  await open(paths.home(person.projectId), viewer)
  await screen.findByText('Ask an editor or the owner of the project to add a channel.')
  expect(primary()).toEqual([])
})

test('shows which steps are done after the first broadcast', async ({ open, user, person, service, api, answer }) => {
  await api(addChannel.any, { project_id: person.projectId, type: 'twitch', name: 'One', ...stream })
  const node = someNodeOf(service)
  await beginBroadcast(service, person, node)
  await node.tell(person.projectId, { type: 'ended' })
  await report(service.services, { node: 'list-1', city: 'Lyon', pingHost: new URL(service.url).host })
  await open(paths.home(person.projectId))
  const step = async (index: number): Promise<HTMLElement> => {
    const items = within(await screen.findByRole('list', { name: 'Before you go live' })).getAllByRole('listitem')
    return items[index] ?? document.body
  }
  const channel = () => step(1)
  await expect.poll(() => step(0)).toHaveTextContent('Done: You have been on air before')
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

test('names the cause and the remedy of a server without streams, as stream setup does', async ({
  open,
  person,
  service,
}) => {
  const operator = await newOperator(service)
  const lyon = { node: 'list-1', city: 'Lyon', pingHost: new URL(service.url).host }
  const load = { network: 20, cpu: 92, ram: 40, delivered: 100 }
  const home = () => open(paths.home(person.projectId))
  const setup = () => open(paths.ingest(person.projectId))
  const radio = () => screen.findByRole('radio', { name: /Lyon/ })
  // The averages of the previous test's reports have expired.
  service.clock.advance(301_000)
  await report(service.services, { ...lyon, load })
  // An overloaded server that accepts streams is nothing to do before the first broadcast.
  await home()
  await region('Your first broadcast')
  expect(main()).not.toHaveTextContent('Lyon is')
  await setup()
  await expect.poll(radio).toHaveAccessibleName(/Overloaded/)
  await expect.poll(main).toHaveTextContent('Server Lyon has no ffmpeg. Streams go out, but without stills')
  service.clock.advance(120_000)
  await home()
  await expect.poll(main).toHaveTextContent('Server Lyon stopped reporting. Do not use it now.')
  await setup()
  await expect.poll(radio).toHaveAccessibleName(/Not reporting/)
  service.clock.advance(600_000)
  await home()
  await expect.poll(main).toHaveTextContent('No ingest server is online. No server has reported for more than ten')

  const { relay } = service.services
  onTestFinished(() => void Object.assign(relay, { takenPorts: () => null }))
  Object.assign(relay, { takenPorts: () => [1935, 1936] })
  const taken = 'Another program uses the relay’s port (1935, 1936)'
  await setup()
  await screen.findByText(taken)
  await home()
  await expect.poll(main).toHaveTextContent(`${taken}. The relay starts as soon as the port is free.`)
  const remedy = 'Stop that program, or set another port (RTMP_PORT, RTMPS_PORT)'
  await open(paths.home(operator.projectId), operator)
  await expect.poll(main).toHaveTextContent(`${taken}. ${remedy}`)
  await open(paths.ingest(operator.projectId), operator)
  await expect.poll(main).toHaveTextContent(remedy)
})
