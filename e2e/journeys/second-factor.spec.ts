// Second factors in a browser: an authenticator app, and a passkey of the browser's own virtual authenticator.
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { startService } from '#e2e/fixtures/service.ts'
import { expect, opened, test as base } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

/** At a host with a name: passkeys belong to none other. */
const test = base.extend({
  service: async ({ shared }, use) =>
    use(
      await shared('service at localhost', async () => {
        const { value, close } = await opened(startService())
        return { value: { ...value, url: value.url.replace('127.0.0.1', 'localhost') }, close }
      }),
    ),
})

/** Signs the browser out, and opens the sign-in page of the service. */
async function toSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/sign-in/)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/auth\/local\/sign-in/)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

async function enterPassword(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('sets up an app, signs in with its code, and remembers the browser', async ({
  page,
  person,
  login,
  goto,
  service,
}) => {
  await login()
  await goto(paths.account('security'))
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()
  const app = new TOTP({ secret: Secret.fromBase32((secret ?? '').replaceAll(' ', '')) })
  const code = () => app.generate({ timestamp: service.clock.now().getTime() })
  await page.getByLabel('Code from the app').fill(code())
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()

  await toSignIn(page)
  await enterPassword(page, person)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  // The code of the set-up is used.
  service.clock.advance(30_000)
  await page.getByLabel('Code').fill(code())
  await page.getByLabel('Remember this browser for 30 days').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)

  await toSignIn(page)
  await enterPassword(page, person)
  await expect(page).toHaveURL(/\/p\/\d+$/)
})

test('adds a passkey, and signs in with it without a password', async ({ page, login, goto }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await login()
  await goto(paths.account('security'))
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByText('Laptop')).toBeVisible()

  await toSignIn(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)
  await goto(paths.account('security'))
  await expect(page.getByText('Last used')).toBeVisible()
})
