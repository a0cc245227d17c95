// A session that ends on the server while a form holds input.
import { expect, test } from '#e2e/fixtures/test.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { profile } from '#contract/areas/account/profile.ts'
import { paths } from '#src/lib/paths.ts'

test('opens sign-in over an unsaved form, and saves it afterwards', async ({
  page,
  context,
  person,
  login,
  goto,
  service,
  api,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  await login()
  // Typing triggers the request for the signed-in person: before it the page cannot know that the person is the same.
  const known = page.waitForResponse(
    // The previous page may send the same request.
    (answer) => answer.url().includes(`${auth.me.path}?`) && page.url().endsWith(paths.account()),
  )
  await goto(paths.account())
  await page.getByLabel('First name').fill('Grace')
  await known
  await service.app.db
    .updateTable('token_families')
    .set({ date_revoke: new Date().toISOString(), revoke_reason: 'sign-out' })
    .where('app', '=', 'site')
    .where('user_agent', 'like', 'Mozilla%')
    .execute()
  await page.getByRole('button', { name: 'Save profile' }).click()

  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()
  const opened = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
  const popup = await opened
  await popup.getByLabel('E-mail').fill(person.email)
  await popup.getByLabel('Password').fill(person.password)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Sign in' }).click()
  await closed

  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('First name')).toHaveValue('Grace')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  expect(await api(profile.get, {})).toMatchObject({ firstName: 'Grace' })
})

test('leaves the unsaved form of a person without a question when another one signs in in another tab', async ({
  page,
  context,
  another,
  login,
  goto,
  watch,
}) => {
  watch.allow(/status of 40[013]/)
  const zoe = await another({ name: 'Zoe' })
  await login()
  const known = page.waitForResponse(
    (answer) => answer.url().includes(`${auth.me.path}?`) && page.url().endsWith(paths.account()),
  )
  await goto(paths.account())
  await page.getByLabel('First name').fill('Grace')
  await known
  const questions: string[] = []
  page.on('dialog', (question) => {
    questions.push(question.type())
    // As "Stay" does: the form would remain on the screen of the next person.
    void question.dismiss()
  })
  const tab = await context.newPage()
  await login(zoe, tab)
  // The stored session sends no message to other tabs: this one reads it when the person looks at it. It ignores a second
  // look within two seconds.
  await expect
    .poll(
      async () => {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))).catch(() => {})
        return new URL(page.url()).pathname
      },
      { intervals: [500, 2500], timeout: 60_000 },
    )
    .toBe(paths.home(zoe.projectId))
  expect(questions).toEqual([])
})
