// The verdict of a broadcast: the same on Home, in the header and on the page of the broadcast; a stream that its encoder ended.
import { within } from '@testing-library/react'
import { newChannel } from '#server/testing/channels.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows one verdict with its reason and remedy on Home, in the header and on the page of the broadcast', async ({
  open,
  person,
  service,
}) => {
  const node = someNodeOf(service)
  const { broadcast_id } = await beginBroadcast(service, person, node)
  const steady = { kbps: 4_000, fps: 30 }
  const faults = [{ kind: 'keyframes', value: 10, limit: 4 }]
  await node.tell(person.projectId, { type: 'sample', ingest: { ...someIngest, steady, faults }, destinations: [] })
  for (const page of [paths.home(person.projectId), paths.broadcast(person.projectId, broadcast_id)]) {
    await open(page)
    const reasons = await screen.findByRole('list', { name: 'Verdict' })
    const text = reasons.textContent
    expect(text).toContain('Keyframes are too far apart 10 s, at most 4 s')
    expect(text).toContain('Set the keyframe interval of your encoder to 2 seconds.')
    await screen.findByRole('link', { name: /^Warning/ })
    expect(within(screen.getByRole('main')).getAllByText('Warning')).toHaveLength(1)
  }
})

test('shows the keyframe interval to a tenth of a second', async ({ open, person, service }) => {
  const node = someNodeOf(service, 'node of a browser')
  await beginBroadcast(service, person, node)
  await node.tell(person.projectId, { type: 'sample', ingest: { ...someIngest, gopMs: 2_028 }, destinations: [] })
  await open(paths.home(person.projectId))
  expect((await screen.findByText('Keyframe interval')).closest('dl')).toHaveTextContent('Keyframe interval2 s')
})

test('a broadcast is good only after its stream has been measured', async ({ open, person, service }) => {
  const node = someNodeOf(service, 'node of a new stream')
  await beginBroadcast(service, person, node)
  const measure = (steady: { kbps: number; fps: number } | null) =>
    node.tell(person.projectId, { type: 'sample', ingest: { ...someIngest, steady }, destinations: [] })
  await measure(null)
  await open(paths.home(person.projectId))
  await screen.findByText('Checking')
  expect(screen.queryByText('Good')).toBeNull()
  service.clock.advance(3_000)
  await measure({ kbps: 4_000, fps: 30 })
  await open(paths.home(person.projectId))
  await screen.findByText('Good')
})

test('shows how long an ended stream is held, its frozen picture, and ends it at once', async ({
  open,
  user,
  person,
  service,
}) => {
  const node = someNodeOf(service, 'node of an ended stream')
  const channelId = await newChannel(service, person, { name: 'One' })
  await beginBroadcast(service, person, node)
  await node.channel(person.projectId, channelId, 'live')
  service.clock.advance(5_000)
  await node.tell(person.projectId, { type: 'source-lost', how: 'unpublish' })
  await open(paths.home(person.projectId))
  const head = (await screen.findByRole('heading', { name: 'Stream ended' })).closest('section') ?? document.body
  expect(head.textContent).toMatch(/0:05/)
  expect(head.textContent).toMatch(/Held for \d/)
  await screen.findByText('Frozen picture')
  const { broadcast_id } = await onAirOf(service, person)
  await user.click(await within(head).findByRole('button', { name: 'End now' }))
  const stopped = async () =>
    (
      await service.app.db
        .selectFrom('broadcasts')
        .select('stopped_by')
        .where('id', '=', broadcast_id)
        .executeTakeFirst()
    )?.stopped_by
  await expect.poll(stopped).toBe(person.id)
})
