// Heading of a broadcast: its text adds to the state and does not repeat it.
import { within } from '@testing-library/react'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('says once that the broadcast is paused, and once that the encoder disconnected', async ({
  open,
  person,
  service,
  api,
}) => {
  const node = someNodeOf(service)
  const broadcast = await beginBroadcast(service, person, node)
  const textOf = async (state: string) => {
    const head = (await screen.findByRole('heading', { name: state })).closest('section') ?? document.body
    await within(head).findByRole('button', { name: /Stop/ })
    return (head.textContent ?? '').split(state).length - 1
  }
  await api(broadcasts.pause, broadcast)
  await open(paths.home(person.projectId))
  expect(await textOf('Paused')).toBe(1)
  await api(broadcasts.play, broadcast)
  await node.tell(person.projectId, { type: 'source-lost', how: 'socket' })
  await open(paths.home(person.projectId))
  expect(await textOf('Encoder disconnected')).toBe(1)
})

test('says that channels receive a picture or a video, in a pause and while the encoder is lost', async ({
  open,
  person,
  service,
  api,
}) => {
  const node = someNodeOf(service, 'third')
  const broadcast = await beginBroadcast(service, person, node)
  const shows = (fill: 'picture' | 'frame', clip = false) =>
    node.tell(person.projectId, { type: 'sample', ingest: { ...someIngest, fill, clip }, destinations: [] })
  await api(broadcasts.pause, broadcast)
  await shows('picture')
  await open(paths.home(person.projectId))
  await screen.findByText('Your encoder is still connected. Your channels receive your picture.')
  service.clock.advance(1_000)
  await shows('picture', true)
  await open(paths.home(person.projectId))
  await screen.findByText('Your encoder is still connected. Your channels receive your video.')
  await api(broadcasts.play, broadcast)
  await node.tell(person.projectId, { type: 'source-lost', how: 'socket' })
  service.clock.advance(1_000)
  await shows('picture')
  await open(paths.home(person.projectId))
  await screen.findByText('Your channels receive your picture.')
  service.clock.advance(1_000)
  await shows('picture', true)
  await open(paths.home(person.projectId))
  await screen.findByText('Your channels receive your video.')
  service.clock.advance(1_000)
  await shows('frame')
  await open(paths.home(person.projectId))
  await screen.findByText(/while it reconnects/)
  await expect.poll(() => screen.queryByText('Your channels receive your picture.')).toBeNull()
})

test('says that a backup encoder is connected, and that it is on air', async ({ open, person, service, api }) => {
  const node = someNodeOf(service, 'fourth')
  await beginBroadcast(service, person, node)
  const reports = (backup?: 'connected' | 'on_air') =>
    node.tell(person.projectId, {
      type: 'sample',
      ingest: { ...someIngest, ...(backup && { backup }) },
      destinations: [],
    })
  await reports('connected')
  await open(paths.home(person.projectId))
  await screen.findByText(/^Not going anywhere: no channels are on\. A backup encoder is connected\.$/)
  service.clock.advance(1_000)
  await reports('on_air')
  await open(paths.home(person.projectId))
  await screen.findByText(/The backup encoder is on air\./)
  service.clock.advance(1_000)
  await reports()
  await open(paths.home(person.projectId))
  await expect.poll(() => screen.queryByText(/backup encoder/)).toBeNull()
  const id = await newChannel(service, person, { name: 'Evening' })
  await api(channels.setStatus, { channel_id: id, status: true })
  await node.channel(person.projectId, id, 'live')
  service.clock.advance(1_000)
  await reports('on_air')
  await open(paths.home(person.projectId))
  await screen.findByText(/^All channels are live \(1 of 1\) · The backup encoder is on air\.$/)
})

test('says that no channel is live now, not that none was yet, after one was live', async ({
  open,
  person,
  service,
  api,
}) => {
  const node = someNodeOf(service, 'second')
  const id = await newChannel(service, person, { name: 'Evening' })
  await api(channels.setStatus, { channel_id: id, status: true })
  await beginBroadcast(service, person, node)
  await node.channel(person.projectId, id, 'live')
  await open(paths.home(person.projectId))
  await screen.findByText('All channels are live (1 of 1)')
  await node.channel(person.projectId, id, 'backoff', { reason: 'refused' })
  await open(paths.home(person.projectId))
  await screen.findByText('No channels are live right now (0 of 1)')
})
