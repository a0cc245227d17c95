// Rows of channels in a paused broadcast.
import { within } from '@testing-library/react'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { newChannel } from '#server/testing/channels.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('a channel that fails waits in a pause: it offers no retry', async ({ open, person, service, api }) => {
  const node = someNodeOf(service)
  const id = await newChannel(service, person, { name: 'Evening' })
  await api(channels.setStatus, { channel_id: id, status: true })
  const broadcast = await beginBroadcast(service, person, node)
  await node.channel(person.projectId, id, 'backoff', { reason: 'refused' })
  const row = async () => {
    const list = await screen.findByRole('list', { name: 'Channels' })
    return (await within(list).findByRole('link', { name: 'Evening' })).closest('li') ?? list
  }
  await open(paths.home(person.projectId))
  expect(await row()).toHaveTextContent('Retrying')
  await within(await row()).findByRole('button', { name: 'Retry now: Evening' })
  await api(broadcasts.pause, broadcast)
  await open(paths.home(person.projectId))
  expect(await row()).toHaveTextContent('Waiting')
  expect(await row()).toHaveTextContent('The server refused the connection.')
  expect(await row()).not.toHaveTextContent('Retrying')
  expect(within(await row()).queryByRole('button', { name: 'Retry now: Evening' })).toBeNull()
})

test('a channel says that it receives the picture or the video, in a pause and while the encoder is lost', async ({
  open,
  person,
  service,
  api,
}) => {
  const node = someNodeOf(service, 'second')
  const id = await newChannel(service, person, { name: 'Morning' })
  await api(channels.setStatus, { channel_id: id, status: true })
  const broadcast = await beginBroadcast(service, person, node)
  await node.channel(person.projectId, id, 'live')
  const shows = (fill: 'picture' | 'frame', clip = false) =>
    node.tell(person.projectId, { type: 'sample', ingest: { ...someIngest, fill, clip }, destinations: [] })
  const row = async () => {
    await open(paths.home(person.projectId))
    const list = await screen.findByRole('list', { name: 'Channels' })
    return (await within(list).findByRole('link', { name: 'Morning' })).closest('li') ?? list
  }
  /** Its own page says the same. */
  const says = async (text: string) => {
    await open(paths.channel(person.projectId, id))
    await screen.findByText(text)
  }
  await says('Receiving your stream now.')
  await api(broadcasts.pause, broadcast)
  expect(await row()).toHaveTextContent('Waiting')
  await says('Your broadcast is paused. This channel receives your stream again when you resume.')
  await shows('picture')
  expect(await row()).toHaveTextContent('Your picture')
  service.clock.advance(1_000)
  await shows('picture', true)
  expect(await row()).toHaveTextContent('Your video')
  await says('Receiving your video in place of your stream.')
  await api(broadcasts.play, broadcast)
  await node.tell(person.projectId, { type: 'source-lost', how: 'socket' })
  service.clock.advance(1_000)
  await shows('picture')
  expect(await row()).toHaveTextContent('Your picture')
  await says('Receiving your picture in place of your stream.')
  service.clock.advance(1_000)
  await shows('frame')
  expect(await row()).toHaveTextContent('Frozen picture')
  await says('Receiving the last frame of your stream.')
})
