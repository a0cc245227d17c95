// Chat while on air: a message reaches the page and the overlay of OBS, which is transparent. Page and dock are accessible.
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { problemsOf } from '#e2e/fixtures/accessible.ts'
import { messageOf } from '#e2e/fixtures/chat-message.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test('scenarios 2 and 3: shows a sample on the page and in the transparent overlay, and hostile texts as text in their rows', async ({
  page,
  person,
  service,
  login,
  goto,
  api,
  relay,
}) => {
  const project = { project_id: person.projectId }
  await login()
  await relay.encode((await api(streamKeys.get, project)).key)
  await goto(paths.chat(person.projectId))
  const overlay = await page.context().newPage()
  await overlay.goto(`${service.url}/overlay/chat#key=${(await api(chat.key, project)).key}`)
  const sample = page.getByRole('button', { name: 'Send a sample' })
  const rows = overlay.locator('.row')
  const log = page.getByRole('log')
  // Page and overlay join the broadcast on their own time, and a sample is not stored.
  await expect(async () => {
    await sample.click()
    await expect(rows.first()).toBeVisible({ timeout: 1_000 })
    await expect(log).toContainText('Test message', { timeout: 1_000 })
  }).toPass()
  await expect(rows.first()).toContainText('Test message')
  for (const element of ['html', 'body'])
    expect(await overlay.locator(element).evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
      'rgba(0, 0, 0, 0)',
    )

  // Scenario 3: a row with stacked accents, overrides and 2,000 emoji keeps its height, and paints nothing over the next one.
  const hostile = messageOf(
    1,
    '\u202Eevil',
    `${'Z\u0338\u0321\u031B\u032E\u0300\u0303'.repeat(200)} ${'😀'.repeat(2_000)}`,
  )
  const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  const next = messageOf(2, `<svg onload=alert(1)>`, `After it ${markup}`)
  const messages = '**/method/chat/messages?*'
  await page.context().route(messages, (route) => route.fulfill({ json: { total: 2, rev: 0, items: [hostile, next] } }))
  await page.reload()
  await expect(log).toContainText('After it')
  const [above, below] = await Promise.all(
    ['evil', 'After it'].map((text) => log.getByRole('listitem').filter({ hasText: text }).boundingBox()),
  )
  expect(above?.height).toBeLessThan(300)
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0) - 1)
  // Scenario 2: markup stays text. A report of a policy fails the test.
  await expect(log).toContainText(markup)
  await overlay.reload()
  await expect(overlay.locator('#rows')).toContainText(markup, { timeout: 20_000 })
  await page.context().unroute(messages)

  await overlay.close()
  expect(await problemsOf(page)).toEqual([])
  const dock = await api(keys.add, { ...project, name: 'Dock', rights: 'write' })
  await page.goto(`${service.url}${paths.chatDock()}#key=${dock.key}`)
  await expect(page.getByRole('log')).toBeVisible()
  expect(await problemsOf(page)).toEqual([])
})
