// Chat while on air: a message reaches the page and the overlay of OBS, which is transparent. Page and dock are accessible.
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { problemsOf } from '#e2e/fixtures/accessible.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test('shows a sample on the page and in the transparent overlay', async ({
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

  await overlay.close()
  expect(await problemsOf(page)).toEqual([])
  const dock = await api(keys.add, { ...project, name: 'Dock', rights: 'write' })
  await page.goto(`${service.url}${paths.chatDock()}#key=${dock.key}`)
  await expect(page.getByRole('log')).toBeVisible()
  expect(await problemsOf(page)).toEqual([])
})
