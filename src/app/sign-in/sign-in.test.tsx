// The sign-in page and the return from the service.
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('refuses a code that this window did not request', async ({ open, user }) => {
  await open(`${paths.callback()}?code=somebody-elses-code&state=somebody-elses-state-value`, null)
  await expect.poll(() => screen.findByRole('alert')).toHaveTextContent('started in another window')
  expect(location.href).not.toContain('somebody-elses-code')
  await user.click(screen.getByRole('link', { name: 'Try again' }))
  await button('Sign in')
})

test('opens the home page after sign-in when the return address is on another site', async ({ open, person }) => {
  await open(`${paths.signIn()}?returnTo=${encodeURIComponent('//evil.example/')}`)
  await expect.poll(() => location.pathname).toBe(paths.home(person.projectId))
})

test('checks the form of another server before it sends anything', async ({ open, user, fill }) => {
  await open(paths.signIn(), null)
  await user.click(await screen.findByText('Connect to another server'))
  expect(screen.queryByRole('navigation', { name: 'Policies' })).toBeNull()
  await fill('Base URL', 'ftp://example.com')
  await fill('Access token', 'two words')
  await user.click(await button('Connect'))
  await screen.findByText(/Enter an address such as/)
  expect(screen.getAllByText(/Enter a token without spaces/)).toHaveLength(2)
  expect(screen.getByText(/Enter a whole number/)).toBeVisible()
})

test('shows the refusal of a code that the service does not know', async ({ open }) => {
  sessionStorage.setItem('relaydeck.sign-in', JSON.stringify({ state: 'a-state-of-this-window', returnTo: '/' }))
  await open(`${paths.callback()}?code=unknown&state=a-state-of-this-window`, null)
  await screen.findByRole('heading', { level: 1, name: 'Could not sign in' })
})
