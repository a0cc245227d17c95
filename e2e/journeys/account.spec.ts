// Sign-in in a browser: providers, their return, and a session that ends while a form holds input.
import { randomUUID } from 'node:crypto'
import { auth } from '#contract/areas/account/auth.ts'
import { expect, opened, test as base } from '#e2e/fixtures/test.ts'
import { startService } from '#e2e/fixtures/service.ts'
import { openIdDouble, type OpenIdDouble } from '#server/testing/providers/openid.ts'
import { botToken, signed } from '#server/testing/providers/telegram-login.ts'
import { paths } from '#src/lib/paths.ts'

const next = 'another sentence of mine'

const test = base.extend<{ readonly google: OpenIdDouble }>({
  google: async ({ shared }, use) => use(await shared('google', () => opened(openIdDouble()))),
  service: async ({ shared, google }, use) => {
    const settings = {
      GOOGLE_CLIENT_ID: 'google-id',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_BOT_NAME: 'relay_test_bot',
      PROVIDER_BASES: `google=${google.base},telegram=http://127.0.0.1:9`,
    }
    await use(await shared('service with sign-in providers', () => opened(startService(settings))))
  },
})

test.beforeEach(({ google, watch }) => {
  const id = randomUUID()
  google.person = { id, name: 'Grace Hopper', email: `${id}@example.com` }
  // The provider's page has no icon.
  watch.allow(/a request to a third party: http:\/\/127\.0\.0\.1/, /favicon\.ico/)
})

test('signs up a new person with Google, and keeps their last way to sign in', async ({
  page,
  google,
  goto,
  expectNoTokenLeak,
}) => {
  await page.goto(paths.signIn())
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('heading', { name: 'Allow access?' })).toBeVisible()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)

  await goto(paths.account('socials'))
  await expect(page.getByText('Connected as Grace Hopper')).toBeVisible()
  const disconnect = page.getByRole('button', { name: 'Disconnect Google' })
  await expect(disconnect).toHaveAttribute('aria-disabled', 'true')
  await expect(disconnect).toHaveAccessibleDescription(/only way to sign in/)

  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue(google.person.email)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await disconnect.click()
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible()
  await expectNoTokenLeak()
})

test('connects Google, signs in with it, and disconnects it', async ({
  page,
  loginByForm,
  goto,
  person,
  service,
  watch,
}) => {
  watch.allow(/status of 400/)
  await loginByForm()
  // The sign-in is old: the change requires the password.
  await service.app.db.updateTable('token_families').set({ date_auth: '2026-01-01T00:00:00.000Z' }).execute()
  await goto(paths.account('socials'))
  await page.getByRole('button', { name: 'Connect Google' }).click()
  // The password form has a field of the same name.
  const confirm = page.locator('form', { has: page.getByRole('button', { name: 'Continue' }) })
  await confirm.getByLabel('Current password').fill('not the password')
  await confirm.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This is not your current password.')).toBeVisible()
  await confirm.getByLabel('Current password').fill(person.password)
  await confirm.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('You did not approve access, so nothing was connected.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect Google' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Connected. You can now sign in with it.')).toBeVisible()
  await expect(page).toHaveURL(/\/account\/socials$/)

  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(paths.home(person.projectId))

  await goto(paths.account('socials'))
  await page.getByRole('button', { name: 'Disconnect Google' }).click()
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible()
})

test('refuses to take over an account of the same e-mail, and shows the next step', async ({
  page,
  person,
  google,
}) => {
  google.person = { ...google.person, email: person.email }
  await page.goto(paths.signIn())
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('alert')).toContainText('An account with your e-mail already exists')
  expect(page.url()).not.toContain('error')
})

test('signs in with the Telegram widget, and connects it', async ({ page, context, service, watch, goto }) => {
  watch.allow(/third party: https:\/\/telegram\.org/)
  const fields = { id: 4711, first_name: 'Таня', auth_date: Math.floor(service.clock.now().getTime() / 1000) }
  // Does what Telegram's script does last: redirects to the page's callback with the data that the bot signed.
  await context.route('https://telegram.org/js/**', (route) => {
    const said = signed({ ...fields, auth_date: fields.auth_date++ })
    const query = new URLSearchParams(Object.entries(said).map(([name, value]) => [name, String(value)]))
    return route.fulfill({
      contentType: 'text/javascript',
      body: `{
        const { authUrl, telegramLogin } = document.currentScript.dataset
        const link = document.createElement('a')
        link.textContent = 'Log in with ' + telegramLogin
        link.href = authUrl + '&${query.toString()}'
        document.currentScript.after(link)
      }`,
    })
  })
  const press = () => page.getByRole('link', { name: 'Log in with relay_test_bot' }).click()
  await page.goto(paths.signIn())
  await page.getByRole('button', { name: 'Continue with Telegram' }).click()
  await press()
  await expect(page).toHaveURL(/\/p\/\d+$/)

  await goto(paths.account('socials'))
  await page.getByRole('button', { name: 'Connect Google' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  // The message above the list moves the list down.
  await expect(page.getByText('Connected. You can now sign in with it.')).toBeVisible()
  await page.getByRole('button', { name: 'Disconnect Telegram' }).click()
  await expect(page.getByText('This is your only way to sign in.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect Telegram' }).click()
  await press()
  await expect(page.getByText('Connected as Таня')).toBeVisible()
  await expect(page).toHaveURL(/\/account\/socials$/)
})

test('links to Google on the sign-in page of the service', async ({ page, google }) => {
  await page.goto(paths.signIn())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)
  expect(google.person.name).toBe('Grace Hopper')
})

test('continues a session that ends during input with Google in a popup', async ({
  page,
  context,
  service,
  goto,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  await page.goto(paths.signIn())
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)
  // Typing triggers the request for the signed-in person: before it the page cannot know that the person is the same.
  const known = page.waitForResponse(
    // The previous page may send the same request.
    (answer) => answer.url().includes(`${auth.me.path}?`) && page.url().endsWith(paths.account()),
  )
  await goto(paths.account())
  await page.getByLabel('First name').fill('Admiral')
  await known
  await service.app.db.updateTable('token_families').set({ date_revoke: new Date().toISOString() }).execute()
  await page.getByRole('button', { name: 'Save profile' }).click()
  const appeared = context.waitForEvent('page')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click()
  const popup = await appeared
  await popup.getByRole('link', { name: 'Continue with Google' }).click()
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Allow' }).click()
  await closed
  await expect(page.getByLabel('First name')).toHaveValue('Admiral')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
})
