// Tests of the security page: authenticator app, recovery codes, remembered browsers, confirmation of an old sign-in.
import { within } from '@testing-library/react'
import { Secret, TOTP } from 'otpauth'
import { startRegistration } from '@simplewebauthn/browser'
import { vi } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { security } from '#contract/areas/account/security.ts'
import { Authenticator } from '#server/testing/authenticator.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

// The browser's own part, which jsdom does not have.
vi.mock('@simplewebauthn/browser', () => ({ startRegistration: vi.fn<typeof startRegistration>() }))

const appOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })

test('sets up an app by its key, shows ten recovery codes once, and removes it', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  const other = await service.signIn(person)
  await open(paths.account('security'))
  await user.click(await button('Set up'))
  const dialog = await screen.findByRole('dialog', { name: 'Set up an authenticator app' })
  within(dialog).getByRole('img', { name: 'QR code for an authenticator app' })
  const app = appOf(within(dialog).getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent)
  const at = (seconds: number) => app.generate({ timestamp: service.clock.now().getTime() + seconds * 1000 })

  await fill('Code from the app', at(90))
  await user.click(await button('Finish'))
  await screen.findByText(/The clock of your phone is 90 seconds ahead/)
  await fill('Code from the app', at(0))
  await user.click(await button('Finish'))
  const codes = await screen.findByRole('dialog', { name: 'Your recovery codes' })
  expect(within(codes).getAllByRole('listitem')).toHaveLength(10)
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${saved.push(file as Blob)}`)
  await user.click(within(codes).getByRole('button', { name: 'Download' }))
  expect((await saved[0]!.text()).trim().split('\n')).toHaveLength(10)
  await user.click(await button('I saved them'))
  await screen.findByText('10 of 10 codes left.')
  await expect(api(auth.me, {}, other)).rejects.toThrow('401')

  await user.click(await button('Remove app'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove app' }))
  await screen.findByText('Removed. Sign-in needs your password only.')
  await expect.poll(() => screen.queryByText('10 of 10 codes left.')).toBeNull()
})

test('confirms a sign-in that is older than 15 minutes, and goes on', async ({ open, user, fill, person, service }) => {
  await service.app.db
    .updateTable('token_families')
    .set({ date_auth: '2020-01-01T00:00:00.000Z' })
    .where('user_id', '=', person.id)
    .execute()
  await open(paths.account('security'))
  await user.click(await button('Set up'))
  await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  await fill('Current password', 'not the password')
  await user.click(await button('Continue'))
  await screen.findByText('This is not your current password.')
  await fill('Current password', person.password)
  await user.click(await button('Continue'))
  await screen.findByRole('dialog', { name: 'Set up an authenticator app' })
  expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull()
})

test('confirms by a code where there is an app, and leaves everything where the user cancels', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  const { secret } = await api(security.beginAuthenticator, {})
  const code = () => appOf(secret).generate({ timestamp: service.clock.now().getTime() })
  const { recovery_codes } = await api(security.confirmAuthenticator, { code: code() })
  await service.app.db
    .updateTable('token_families')
    .set({ date_auth: '2020-01-01T00:00:00.000Z' })
    .where('user_id', '=', person.id)
    .execute()
  await open(paths.account('security'))
  await user.click(await button('Replace codes'))
  await user.click(await button('Cancel'))
  await screen.findByText(/You signed in more than 15 minutes ago. Sign out/)
  await user.click(await button('Replace codes'))
  await screen.findByLabelText('Code')
  await fill('Code', '000000')
  await user.click(await button('Continue'))
  await screen.findByText('This code is wrong, too old or already used.')
  await fill('Code', recovery_codes[0] ?? '')
  await user.click(await button('Continue'))
  await screen.findByRole('dialog', { name: 'Your recovery codes' })
})

test('adds a passkey that the browser made, and removes it', async ({ open, user, fill, service, api }) => {
  const key = new Authenticator(new URL(service.url).origin)
  vi.stubGlobal('PublicKeyCredential', class {})
  vi.mocked(startRegistration).mockImplementation(async ({ optionsJSON }) => key.register(optionsJSON))
  await open(paths.account('security'))
  await fill('Name', 'Laptop')
  await user.click(await button('Add passkey'))
  await user.click(await button('I saved them'))
  await screen.findByText('Laptop')
  expect((await api(security.get, {})).passkeys).toMatchObject([{ name: 'Laptop' }])

  const declined = Object.assign(new Error('declined'), { name: 'NotAllowedError' })
  vi.mocked(startRegistration).mockRejectedValue(declined)
  await user.click(await button('Add passkey'))
  await screen.findByText('No passkey was made. Try again.')
  await user.click(await button('Remove: Laptop'))
  await user.click(await button('Remove passkey'))
  await expect.poll(() => screen.queryByText('Laptop')).toBeNull()
})
