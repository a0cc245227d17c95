// Tests of the notifications page: list, filters, bell, settings, quiet hours.
import { within } from '@testing-library/react'
import { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { newChannel } from '#server/testing/channels.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('lists notifications, filters them in the URL, and marks one as read', async ({ open, user, person, api }) => {
  await api(settings.test, { project_id: person.projectId })
  await open(paths.notifications(person.projectId))
  const list = within(await screen.findByRole('list', { name: 'All notifications' }))
  const row = within(await list.findByRole('listitem'))
  await user.click(await row.findByRole('button', { name: /^Mark as read/ }))
  await expect.poll(() => row.queryByRole('button', { name: /^Mark as read/ })).toBeNull()
  expect((await api(history.getStatus, {})).count_unread).toBe(0)

  await user.selectOptions(screen.getByLabelText('Read or unread'), 'unread')
  await screen.findByText('No notification matches the filters')
  expect(location.search).toBe('?state=unread')
})

test('counts unread notifications on the bell, and marks all as read', async ({ open, user, person, api }) => {
  await api(settings.test, { project_id: person.projectId })
  await open(paths.notifications(person.projectId))
  await button('Notifications, 1 unread')
  await expect.poll(() => document.title).toMatch(/^\(1\) /)
  await user.click(await button('Mark all as read'))
  await button('Notifications, 0 unread')
  await expect.poll(() => document.title).not.toMatch(/^\(/)
})

test('answers the invitation to a channel from its notification', async ({
  open,
  user,
  person,
  another,
  service,
  api,
}) => {
  const owner = await another('Maria')
  const channel_id = await newChannel(service, owner)
  const { external_id } = await service.app.db
    .selectFrom('projects')
    .select('external_id')
    .where('id', '=', person.projectId)
    .executeTakeFirstOrThrow()
  const input = {
    project_id: owner.projectId,
    channel_id,
    access_type: 0 as const,
    to_project_external_id: external_id,
  }
  await api(channelInvites.addById, input, owner)
  await open(paths.notifications(person.projectId))
  await user.click(await button('Decline'))
  await screen.findByText('Declined')
  expect((await api(channelInvites.received, { project_id: person.projectId })).results).toEqual([])
})

test('switches a category off and sets quiet hours', async ({ open, user, fill, person, api }) => {
  await open(paths.notifications(person.projectId, 'settings'))
  const important = await screen.findByRole('switch', { name: 'Dashboard: Stream' })
  expect(important).toBeChecked()
  await user.click(important)
  await expect
    .poll(async () => (await api(settings.get, { project_id: person.projectId })).relation.cabinet)
    .not.toContain('stream')

  await user.selectOptions(screen.getByLabelText('Hold back'), 'stream')
  await fill('From', '23:30')
  await user.click(await button('Save'))
  await screen.findByText('Saved')
  expect((await api(settings.preferences, {})).quiet).toMatchObject({ from: '23:30', to: '08:00', important: true })
})

test('tells members without the right that webhooks are for owners', async ({ open, person, another, service }) => {
  const editor = await another('Edith')
  await service.join(editor, person.projectId, 1)
  await open(paths.notifications(person.projectId, 'webhooks'), editor)
  await screen.findByText('Only owners can see and change webhooks.')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('adds a webhook, shows its secret once, and removes it', async ({ open, user, fill, person, api }) => {
  const input = { project_id: person.projectId }
  await open(paths.notifications(person.projectId, 'webhooks'))
  await fill('Address', 'http://hooks.example.com/relaydeck')
  await user.click(await button('Add webhook'))
  await screen.findByText(/must be public, begin with https/)
  await fill('Address', 'https://hooks.example.com/relaydeck')
  await user.click(await button('Add webhook'))
  expect((await screen.findByLabelText<HTMLInputElement>('Signing secret')).value).toMatch(/^whsec_/)
  await user.click(await screen.findByRole('switch', { name: 'Send to https://hooks.example.com/relaydeck' }))
  await expect.poll(async () => (await api(webhooks.list, input)).results.map(({ is_on }) => is_on)).toEqual([false])
  await user.click(await button('Remove'))
  await confirm(user)
  await expect.poll(async () => (await api(webhooks.list, input)).results).toEqual([])
})
