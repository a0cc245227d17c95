// The sign-in page and the return from the service.
import { auth } from '#contract/areas/account/auth.ts'
import { referrals } from '#contract/areas/billing/referrals.ts'
import { vi } from 'vitest'
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

test('names blocked site data as the reason why the sign-in does not begin', async ({ open, user }) => {
  await open(paths.signIn(), null)
  const blocked = () => {
    throw Object.assign(new Error('Access is denied for this document.'), { name: 'SecurityError' })
  }
  const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked)
  await user.click(await button('Sign in'))
  await screen.findByText(/This browser blocks the site data of this page/)
  storage.mockRestore()
})

test('says that a connection has expired when a platform returns without a begun one', async ({ open }) => {
  await open(paths.connectExpired())
  await screen.findByText(/This request has expired or was already completed/)
})

test('shows the refusal of a code that the service does not know', async ({ open }) => {
  sessionStorage.setItem('relaydeck.sign-in', JSON.stringify({ state: 'a-state-of-this-window', returnTo: '/' }))
  await open(`${paths.callback()}?code=unknown&state=a-state-of-this-window`, null)
  await screen.findByRole('heading', { level: 1, name: 'Could not sign in' })
})

test('names the inviter of a referral link after the sign-in, once', async ({
  open,
  user,
  person,
  another,
  api,
  answer,
}) => {
  const { projectId: project_id } = person
  const { link } = await api(referrals.info, { project_id })
  const { pathname, search } = new URL(link ?? '')
  expect(pathname + search).toMatch(/^\/sign-in\?ref=\d{9}$/)
  const guest = await another('Maria')
  // The sign-in form of the service is outside the dashboard: the page stays, and the form returns with a code.
  let state = ''
  answer(auth.redirectUrl, (_, url) => {
    state = url.searchParams.get('state') ?? ''
    return Response.json({ url: '#form' })
  })
  await open(pathname + search, null)
  await user.click(await button('Sign in'))
  await expect.poll(() => location.hash).toBe('#form')

  const joins: Response[] = []
  answer(referrals.join, async (send) => {
    const response = await send()
    joins.push(response)
    return response
  })
  for (const expected of [[200], [200]]) {
    const { code } = await api(auth.appCode, { app: 'site' }, guest)
    sessionStorage.setItem('relaydeck.sign-in', JSON.stringify({ state, returnTo: '/' }))
    await open(`${paths.callback()}?code=${code}&state=${state}`, null)
    await expect.poll(() => location.pathname).toBe(paths.home(guest.projectId))
    expect(joins.map(({ status }) => status)).toEqual(expected)
  }
  expect((await api(referrals.info, { project_id })).members).toBe(1)
})
