// Stream key replacement with two tabs open.
import type { Page } from '@playwright/test'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { projectOfKey } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, test } from '#e2e/fixtures/test.ts'

const keyField = (page: Page) => page.getByLabel('Stream key', { exact: true })

test('replaces a key in two tabs: the old key fails immediately, both tabs show the new one', async ({
  page,
  context,
  person,
  service,
  goto,
  api,
  expectNoTokenLeak,
  visit,
}) => {
  const { key: old } = await api(streamKeys.get, { project_id: person.projectId })
  await visit(paths.ingest(person.projectId))
  const other = await context.newPage()
  await goto(paths.ingest(person.projectId), other)
  await expect(keyField(page)).toHaveValue(old)
  await expect(keyField(other)).toHaveValue(old)

  await page.getByRole('button', { name: 'Replace stream key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the stream key?' })
  await dialog.getByRole('button', { name: 'Replace stream key' }).click()
  await expect(dialog).toBeHidden()
  await expect(keyField(page)).not.toHaveValue(old)
  expect(await projectOfKey(service.app.services, old)).toBeNull()

  const fresh = await keyField(page).inputValue()
  expect(await projectOfKey(service.app.services, fresh)).toBe(person.projectId)
  await expect(keyField(other)).toHaveValue(fresh, { timeout: 20_000 })

  await expectNoTokenLeak()
  const kept = await page.evaluate(() => JSON.stringify([location.href, localStorage, sessionStorage, history.state]))
  expect(kept).not.toContain(fresh)
})
