// Sign-up, sign-in, deep links, sign-out in all tabs, and unsolicited sign-in responses in a browser.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paths } from '#src/lib/paths.ts'
import { expect, test } from './fixtures/test.ts'

const button = { name: 'Sign in' }

test('signs up a new person with a project of their own', async ({ page, expectNoTokenLeak }) => {
  await page.goto(paths.root())
  await page.getByRole('button', button).click()
  await page.getByRole('link', { name: 'I do not have an account' }).click()
  await page.getByLabel('Name').fill('Noor')
  await page.getByLabel('E-mail').fill(`noor-${Date.now()}@example.com`)
  await page.getByLabel('New password').fill('a sentence nobody guesses')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/p\/\d+$/)
  await expect(page.getByRole('button', { name: /Noor/ })).toBeVisible()
  await expectNoTokenLeak()
})

test('shows the sign-in page in the font of the dashboard, from the same files', async ({ page }) => {
  const fonts: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.woff2') && response.ok()) fonts.push(pathname)
  })
  await page.goto(paths.signIn())
  await expect(page.getByRole('button', button)).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const ofDashboard = [...new Set(fonts)]
  expect(ofDashboard).not.toEqual([])
  fonts.length = 0
  await page.getByRole('button', button).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
  const loaded = await page.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)
  })
  expect(loaded).toContain('Inter Variable')
  expect(ofDashboard).toEqual(expect.arrayContaining([...new Set(fonts)]))
})

test('opens a deep link after sign-in', async ({ page, person }) => {
  const wanted = `${paths.tariffs(person.projectId)}?period=year`
  await page.goto(wanted)
  await expect(page).toHaveURL(/\/sign-in\?returnTo=/)
  await page.getByRole('button', button).click()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(wanted)
})

test('responds to a wrong password and an unknown e-mail alike', async ({ page, person, watch }) => {
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

test('signs out all tabs, and shows nothing on Back', async ({ page, context, person, login, watch }) => {
  // Requests of the other tab that are in flight fail when the session ends.
  watch.allow(/status of 40[01]/)
  await login()
  const other = await context.newPage()
  await other.goto(paths.tariffs(person.projectId))
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(other).toHaveURL(/\/sign-in/)
  await page.goBack()
  await expect(page).toHaveURL(/\/sign-in/)
})

test('keeps the session when a slow disk returns it late, without a new sign-in', async ({
  page,
  context,
  person,
  login,
}) => {
  await login()
  const late = await context.newPage()
  await late.addInitScript(() => {
    const { open } = IDBFactory.prototype
    const back = new Promise((resolve) => addEventListener('disk', resolve, { once: true }))
    IDBFactory.prototype.open = function (...which) {
      const request = open.apply(this, which)
      const heed = (event: Event) => void back.then(() => later?.call(request, event))
      let later: ((event: Event) => void) | undefined
      Object.defineProperty(request, 'onsuccess', {
        set(listener) {
          later = listener
        },
      })
      request.addEventListener('success', heed)
      return request
    }
  })
  await late.goto(paths.channels(person.projectId))
  await expect(late.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await late.evaluate(() => dispatchEvent(new Event('disk')))
  await expect(late.getByRole('heading', { level: 1 })).toHaveText('Channels')
  await expect(late).toHaveURL(paths.channels(person.projectId))
  await page.close()
})

test('reports an unreachable service in the language of the page', async ({ page, watch }) => {
  watch.allow(/Failed to load resource|Failed to fetch/)
  await page.goto(paths.signIn())
  await page.getByRole('button', { name: 'Русский' }).click()
  const enter = page.getByRole('button', { name: 'Войти' })
  await expect(enter).toBeVisible()
  await page.route('**/*', (route) => route.abort())
  await enter.click()
  await expect(page.getByRole('alert')).toContainText('Сервер не отвечает. Проверьте соединение и попробуйте снова.')
})

test('shows the slots of another server with two operations, and renews its session', async ({
  page,
  watch,
  expectNoTokenLeak,
}) => {
  watch.allow(/a request to a third party: http:\/\/127\.0\.0\.1/, /status of 40[14]/)
  const refreshed: unknown[] = []
  let alive = 'second-access'
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    const { pathname } = new URL(request.url ?? '/', 'http://upstream')
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    if (pathname === '/method/auth/refresh-access') {
      let text = ''
      request.on('data', (part) => (text += String(part)))
      request.on('end', () => {
        refreshed.push(JSON.parse(text))
        answer(200, { accessToken: alive, refreshToken: 'second-refresh' })
      })
      return
    }
    if (pathname !== '/method/plan_restream') return answer(404, {})
    if (request.headers.authorization !== `oauth ${alive}`) return answer(401, {})
    answer(200, { before: null, current: { id: 31, channel_max: 6, bitrate_max: 9000 }, next: null })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await page.goto(paths.signIn())
    await page.getByText('Connect to another server').click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByText('Enter an address such as')).toBeVisible()
    await page.getByLabel('Base URL').fill(origin)
    await page.getByRole('textbox', { name: 'Access token' }).fill('first-access')
    await page.getByRole('textbox', { name: 'Refresh token' }).fill('first-refresh')
    await page.getByLabel('Project number').fill('7')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.waitForURL(`**${paths.tariffs(7)}`)
    await expect(page.getByText('Plan 31').first()).toBeVisible()
    expect(refreshed).toEqual([{ v: '1', language: 'en', app: 'site', refresh: 'first-refresh' }])

    alive = 'third-access'
    await page.reload()
    await expect(page.getByText('Plan 31').first()).toBeVisible()
    expect(refreshed).toHaveLength(2)
    await expectNoTokenLeak()
  } finally {
    // The page closes before its server, so that it sees no failed request.
    await page.close()
    server.closeAllConnections()
    server.close()
  }
})
