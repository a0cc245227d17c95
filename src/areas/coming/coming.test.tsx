// Tests of pages whose operations are not served yet.
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('lists the operations of a page that is not served, and links their reference', async ({ open, user, person }) => {
  await open(paths.notifications(person.projectId))
  await user.click(await screen.findByRole('link', { name: 'Notification settings' }))
  await screen.findByText(/Coming soon/)
  expect(location.pathname).toBe(`${paths.notifications(person.projectId)}/settings`)
  await expect.poll(() => document.title).toBe('Notification settings · Relaydeck')
  await user.click(within(screen.getByRole('main')).getByText(/5 operations/))
  await screen.findByText(/Get user screen notify/)
  await user.click(screen.getByRole('link', { name: 'Notification settings in the API reference' }))
  await expect.poll(() => location.pathname).toBe(paths.referenceGroup('notifications.settings'))
  history.back()
  await expect
    .poll(() => screen.queryByRole('link', { name: 'Notification settings' }))
    .toHaveAttribute('aria-current', 'page')
})
