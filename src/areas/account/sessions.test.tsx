// Tests of session ends: from the list, by a new password, on the service.
import { auth } from '#contract/areas/account/auth.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const firefox = 'Mozilla/5.0 (X11; Linux) Firefox/153.0'

test('ends the session of another browser from the list', async ({ open, user, person, service, api }) => {
  const other = await service.signIn(person, { userAgent: firefox })
  await open(paths.account('sessions'))
  await screen.findByText('This session')
  await user.click(await button('Sign out: Firefox on Linux'))
  await screen.findByText('Signed out: Firefox on Linux.')
  await expect.poll(() => screen.queryByRole('button', { name: 'Sign out: Firefox on Linux' })).toBeNull()
  await expect(api(auth.me, {}, other)).rejects.toThrow('401')
  await api(auth.me, {})
  await open(paths.account(), other)
  await expect.poll(() => location.pathname).toBe('/sign-in')
})

test('ends the other sessions when the password changes', async ({ open, user, fill, person, service, api }) => {
  const other = await service.signIn(person)
  await open(paths.account('socials'))
  await fill('Current password', 'not the password')
  await fill('New password', 'another sentence of mine')
  await user.click(await button('Change password'))
  await screen.findByText('This is not your current password.')
  await fill('Current password', person.password)
  await user.click(await button('Change password'))
  await screen.findByText('Saved. You are signed out on all other devices.')
  expect(screen.getByLabelText('New password')).toHaveValue('')
  await expect(api(auth.me, {}, other)).rejects.toThrow('401')
  await open(paths.account('socials'))
  await screen.findByRole('heading', { name: 'Connected accounts' })
})

test('leads an idle page to sign-in when its session ends on the server, and gives the reason', async ({
  open,
  person,
  service,
  api,
}) => {
  const page = await service.signIn(person, { userAgent: firefox })
  await open(paths.home(person.projectId), page)
  await screen.findByRole('link', { name: 'Off air' })
  await api(sessions.closeOthers, {})
  await expect.poll(() => location.pathname).toBe('/sign-in')
  await screen.findByText(/You were signed out: the session expired or was ended on another device/)
  expect(new URLSearchParams(location.search).get('returnTo')).toBe(paths.home(person.projectId))
})
