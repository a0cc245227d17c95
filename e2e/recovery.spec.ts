// Password recovery and e-mail changes in a browser, through the mailed links.
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { paths } from '#src/lib/paths.ts'
import { axe, axeInBothThemes, scrollsSideways } from './fixtures/accessible.ts'
import { publicPort, startService } from './fixtures/service.ts'
import { expect, opened, test as base } from './fixtures/test.ts'

const test = base.extend<{ mail: Awaited<ReturnType<typeof mailServer>> }>({
  mail: async ({ shared }, use) => use(await shared('mail', () => opened(mailServer()))),
  service: async ({ shared, mail }, use) => {
    const start = async () => startService({ ...mail.settings, ...(await publicPort()) })
    await use(await shared('service with mail', () => opened(start())))
  },
})

test('resets the password by a mailed link and signs in', async ({ page, mail, service, person }) => {
  const fits = async () => {
    expect.soft(await axeInBothThemes(page), await page.title()).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect.soft(await scrollsSideways(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 720 })
  }

  await page.goto(`${service.url}/auth/local/sign-in`)
  await fits()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await fits()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('status')).toContainText('we have sent it a link')
  await fits()
  const mine = () => mail.got.findLast(({ to }) => to.includes(person.email))
  await expect.poll(mine).toBeDefined()
  const text = writtenOf(mine()!.text)
  await page.goto(/http:\S+/.exec(text)![0])
  await fits()
  await page.getByLabel('New password').fill('a new battery for the horse')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('status')).toContainText('Your new password is set')
  await page.getByRole('link', { name: 'Go to dashboard' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill('a new battery for the horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)
})

test('changes the e-mail when the mailed link is opened', async ({ page, mail, goto, person, visit }) => {
  await visit(paths.account('socials'))
  const to = `new-${person.email}`
  const field = page.getByRole('textbox', { name: 'E-mail' })
  await field.fill(to)
  await page.getByRole('region', { name: 'E-mail' }).getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Save e-mail' }).click()
  await expect(page.getByText(`We sent a link to ${to}.`)).toBeVisible()
  await expect(field).toHaveValue(person.email)
  const sent = () => mail.got.findLast((one) => one.to.includes(to))
  await expect.poll(sent).toBeDefined()
  await page.goto(/http:\S+/.exec(writtenOf(sent()!.text))![0])
  expect.soft(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm e-mail' }).click()
  await expect(page.getByRole('status')).toContainText('E-mail confirmed')
  await goto(paths.account('socials'))
  await expect(field).toHaveValue(to)
})
