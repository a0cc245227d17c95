// Stream setup as pages: honest without a server, readable with some, for everybody and on every screen.
import { paths } from '#src/lib/paths.ts'
import { report, someNode } from '#server/testing/nodes.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { startService } from './fixtures/service.ts'
import { signIn, signUp } from './fixtures/person.ts'
import { expect, test } from './fixtures/test.ts'

test('before a server has reported, the page says so, what to do, and that the key is good', async ({
  page,
  watch,
}) => {
  watch.allow(/third party/)
  // A service that no other test reports a server to.
  const service = await startService()
  try {
    const person = await signUp(service.url)
    await signIn(page, service.url, person)
    for (const tab of [undefined, 'pull', 'servers'] as const) {
      await page.goto(service.url + paths.ingest(person.projectId, tab))
      await expect(page.getByText('No ingest server has reported yet')).toBeVisible()
    }
    await page.goto(service.url + paths.ingest(person.projectId))
    await expect(page.getByText('your stream key is good already')).toBeVisible()
    await expect(page.getByLabel('Stream key', { exact: true })).toHaveValue(/^[0-9a-f]{32}$/)
    await expect(page.getByRole('button', { name: 'QR code for a phone' })).toHaveAttribute('aria-disabled', 'true')
  } finally {
    // Before its service, which it would miss.
    await page.close()
    await service.close()
  }
})

test('an address that only this machine reaches says so, beside the address and beside the QR code', async ({
  page,
  person,
  service,
  login,
  goto,
}) => {
  const pingHost = new URL(service.url).host
  await report(service.app.services, { rtmp: 'rtmp://127.0.0.1:1935/live', pingHost })
  await login()
  await goto(paths.ingest(person.projectId))
  await expect(page.getByText('Only programs on this computer reach 127.0.0.1.')).toBeVisible()
  await page.getByRole('button', { name: 'QR code for a phone' }).click()
  await expect(page.getByRole('dialog')).toContainText('A phone cannot reach 127.0.0.1.')
})

test('servers show their health and loads, for the hours that are asked for', async ({
  page,
  person,
  service,
  login,
  goto,
}) => {
  const pingHost = new URL(service.url).host
  const busy = { node: 'osl-1', city: 'Oslo', country: 'NO', pingHost, load: { ...someNode.load, cpu: 90 } }
  await report(service.app.services, { ...busy, load: { ...busy.load, cpu: 10 } }, 2 * 3_600_000)
  await report(service.app.services, busy)
  await login()
  await goto(paths.ingest(person.projectId, 'servers'))
  const oslo = page.getByRole('row', { name: /Oslo/ })
  await expect(oslo).toContainText('Bad')
  await expect(oslo).toContainText('90% up to 90%')
  await page.getByRole('radio', { name: '3 h' }).check()
  await expect(oslo).toContainText('50% up to 90%')
  await expect(page).toHaveURL(/hours=3/)
  await page.getByLabel('What is drawn').selectOption({ label: 'CPU' })
  await expect(page.getByText('Oslo, Norway: On average 50%, lowest 10%, highest 90%')).toBeVisible()
})

test('what is to be copied can be copied where the browser has no clipboard for pages, as in a home network', async ({
  page,
  person,
  service,
  login,
  goto,
}) => {
  await report(service.app.services, { pingHost: new URL(service.url).host })
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await login()
  await goto(paths.ingest(person.projectId))
  const copied = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        document.addEventListener('copy', ({ target }) => resolve((target as HTMLTextAreaElement).value)),
      ),
  )
  const copy = page.getByRole('button', { name: 'Copy: Stream key' })
  await copy.focus()
  // It is said for a moment only.
  await Promise.all([
    expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached(),
    expect(page.getByRole('button', { name: 'Copied' })).toBeFocused(),
    page.keyboard.press('Enter'),
  ])
  expect(await copied).toBe(await page.getByLabel('Stream key', { exact: true }).inputValue())
})

test('every tab is accessible and fits a small phone', async ({ page, person, service, login, goto }) => {
  await report(service.app.services, { pingHost: new URL(service.url).host })
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  for (const tab of [undefined, 'pull', 'servers'] as const) {
    await goto(paths.ingest(person.projectId, tab))
    await page.waitForLoadState('networkidle')
    expect.soft(await axe(page), tab ?? 'push').toEqual([])
    expect.soft(await scrollsSideways(page), tab ?? 'push').toBe(false)
  }
})
