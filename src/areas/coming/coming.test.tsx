// Tests of pages whose operations are not served yet.
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('lists the operations of a page that is not served, and links their reference', async ({ open, user, person }) => {
  await open(paths.media(person.projectId))
  await user.click(await screen.findByRole('link', { name: 'Recordings' }))
  await screen.findByText(/Coming soon/)
  expect(location.pathname).toBe(`${paths.media(person.projectId)}/videos`)
  await expect.poll(() => document.title).toBe('Recordings · Relaydeck')
  await user.click(within(screen.getByRole('main')).getByText(/8 operations/))
  await screen.findByRole('link', { name: 'Video in the API reference' })
  await user.click(screen.getByRole('link', { name: 'Video in the API reference' }))
  await expect.poll(() => location.pathname).toBe(paths.referenceGroup('media.videos'))
  history.back()
  await expect.poll(() => screen.queryByRole('link', { name: 'Recordings' })).toHaveAttribute('aria-current', 'page')
})
