// The bell: marks all as read, and what the reader is watching.
import { within } from '@testing-library/react'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('marks all notifications as read in its panel', async ({ open, user, person, api }) => {
  await api(settings.test, { project_id: person.projectId })
  await open(paths.channels(person.projectId))
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  const panel = await screen.findByRole('region', { name: 'Notifications', hidden: true })
  await user.click(await within(panel).findByRole('button', { name: 'Mark all as read', hidden: true }))
  await screen.findByRole('button', { name: 'Notifications, 0 unread' })
})

test('marks notifications of the running broadcast as read on Home, and leaves others unread', async ({
  open,
  person,
  service,
  api,
}) => {
  const unread = async () => {
    const { results } = await api(history.list, { project_id: person.projectId, status_read: 'unread' })
    return results.map(({ name }) => name)
  }
  await api(settings.test, { project_id: person.projectId })
  const node = someNodeOf(service)
  await beginBroadcast(service, person, node)
  const fault = { kind: 'black', value: null, limit: null }
  await node.tell(person.projectId, { type: 'fault', fault, isOn: true })
  service.clock.advance(60_000)
  expect(await unread()).toEqual(['stream_unhealthy', 'broadcast_started', 'notification_test'])
  await open(paths.channels(person.projectId))
  await screen.findByRole('button', { name: 'Notifications, 3 unread' })
  expect(await unread()).toHaveLength(3)
  await open(paths.home(person.projectId))
  await screen.findByRole('button', { name: 'Notifications, 1 unread' })
  expect(await unread()).toEqual(['notification_test'])
  expect((await api(broadcasts.status, { project_id: person.projectId })).kind).toBe('live')
})
