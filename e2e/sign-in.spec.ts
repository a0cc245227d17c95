// Getting in and out: sign-up, sign-in, a deep link that survives it, sign-out in every tab, and answers nobody asked for.
import { paths } from '#src/lib/paths.ts'
import { expect, test } from './fixtures/test.ts'

const button = { name: 'Sign in or sign up' }

test('a new person signs up and lands in a project of their own', async ({ page, expectNoTokenLeak }) => {
  await page.goto(paths.root())
  await page.getByRole('button', button).click()
  await page.getByRole('link', { name: /no account/i }).click()
  await page.getByLabel('Name').fill('Noor')
  await page.getByLabel('E-mail').fill(`noor-${Date.now()}@example.com`)
  await page.getByLabel('New password').fill('a sentence nobody guesses')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)
  await expect(page.getByRole('button', { name: /Noor/ })).toBeVisible()
  await expectNoTokenLeak()
})

test('a deep link survives sign-in', async ({ page, person }) => {
  const wanted = `${paths.tariffs(person.projectId)}?period=year`
  await page.goto(wanted)
  await expect(page).toHaveURL(/\/sign-in\?returnTo=/)
  await page.getByRole('button', button).click()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(wanted)
})

test('a wrong password and an unknown address get the same answer', async ({ page, person, watch }) => {
  watch.allow(/status of 422/)
  const answers: string[] = []
  for (const email of [person.email, 'nobody@example.com']) {
    await page.goto(paths.signIn())
    await page.getByRole('button', button).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    answers.push(await page.getByRole('alert').innerText())
    await expect(page.getByLabel('Password')).toHaveValue('')
  }
  expect(answers[0]).toBe(answers[1])
})

test('signing out in one tab ends the others, and Back shows nothing', async ({ page, context, person, login }) => {
  await login()
  const other = await context.newPage()
  await other.goto(paths.tariffs(person.projectId))
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Tariffs')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(other).toHaveURL(/\/sign-in/)
  await page.goBack()
  await expect(page).toHaveURL(/\/sign-in/)
})

test('a code that this window did not ask for is not taken', async ({ page }) => {
  await page.goto(`${paths.callback()}?code=somebody-elses-code&state=somebody-elses-state-value`)
  await expect(page.getByRole('alert')).toContainText('not begun in this window')
  expect(page.url()).not.toContain('somebody-elses-code')
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('button', button)).toBeVisible()
})

test('an address that leads elsewhere after sign-in leads home', async ({ page, person, login }) => {
  await login()
  await page.goto(`${paths.signIn()}?returnTo=${encodeURIComponent('//evil.example/')}`)
  await expect(page).toHaveURL(paths.home(person.projectId))
})

test('the form to another server says what is wrong before anything is sent', async ({ page }) => {
  await page.goto(paths.signIn())
  await page.getByText('Connect to another server').click()
  await page.getByLabel('Base URL').fill('ftp://example.com')
  await page.getByRole('textbox', { name: 'Access token' }).fill('two words')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('Needs an address such as')).toBeVisible()
  await expect(page.getByText('Needs a token without spaces')).toHaveCount(2)
  await expect(page.getByText('Needs a whole number')).toBeVisible()
})
