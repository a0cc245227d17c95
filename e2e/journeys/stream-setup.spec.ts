// Stream setup in a browser: a key that is replaced in two tabs, and the checklist before going live.
import type { Page } from '@playwright/test'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { projectOfKey, report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { addAll } from '#e2e/fixtures/channels.ts'
import { expect, test } from '#e2e/fixtures/test.ts'

const keyField = (page: Page) => page.getByLabel('Stream key', { exact: true })

test('a key is replaced while two tabs show it: the old one is dead at once, both tabs show the new one', async ({
  page,
  context,
  person,
  service,
  login,
  goto,
  api,
  expectNoTokenLeak,
}) => {
  const { key: old } = await api(streamKeys.get, { project_id: person.projectId })
  await login()
  await goto(paths.ingest(person.projectId))
  const other = await context.newPage()
  await goto(paths.ingest(person.projectId), other)
  await expect(keyField(page)).toHaveValue(old)
  await expect(keyField(other)).toHaveValue(old)

  await page.getByRole('button', { name: 'Replace the key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the stream key?' })
  await dialog.getByRole('button', { name: 'Replace the key' }).click()
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

test('the checklist before going live says what is true', async ({
  page,
  context,
  person,
  service,
  login,
  goto,
  watch,
}) => {
  // Time is moved beyond the life of a token.
  watch.allow(/status of 401/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.app.db.deleteFrom('ingest_reports').execute()
  await service.app.db.deleteFrom('ingest_nodes').execute()
  await addAll(service.url, person, ['One'])
  const lyon = { node: 'list-1', city: 'Lyon', pingHost: new URL(service.url).host }
  await report(service.app.services, lyon)
  await login()
  const steps = page.getByRole('list', { name: 'Before you go live' }).getByRole('listitem')
  const [server, encoder, channel] = [steps.nth(0), steps.nth(1), steps.nth(2)]
  await expect(server).toContainText('Done: Lyon: ready for your encoder')
  await expect(encoder).toContainText('To do: Copy address and stream key')
  await encoder.getByRole('button', { name: 'Copy stream key' }).click()
  await expect(encoder).toContainText('To do: Stream key copied. Copy the address as well')
  await encoder.getByRole('button', { name: 'Copy address' }).click()
  await expect(encoder).toContainText('To do: Address and key are copied')
  await expect(channel).toContainText('To do: 1 channel was not tested')

  await channel.getByRole('link', { name: 'Channels' }).click()
  const row = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'One', exact: true }) })
  await expect(row).toContainText('Not tested')
  const answer = { reachable: false, reason: 'refused', latency: null }
  await page.route(`**${channels.test.path}*`, (route) => route.fulfill({ json: answer }))
  const tested = { test_reason: 'refused', date_test: service.clock.now().toISOString() }
  await service.app.db.updateTable('channels').set(tested).where('owner_project_id', '=', person.projectId).execute()
  await row.getByRole('button', { name: 'Test One' }).click()
  await expect(row).toContainText('Test failed')
  await expect(row).toContainText('The server refuses connections on this port.')

  await test.step('an overloaded server, and one that fell silent: the same words here and in stream setup', async () => {
    const load = { network: 20, cpu: 92, ram: 40, delivered: 100 }
    service.clock.advance(301_000)
    await report(service.app.services, { ...lyon, load })
    await goto(paths.home(person.projectId))
    await expect(server).toContainText('To do: Lyon is overloaded: quality 16 of 100. It still takes streams')
    await goto(paths.ingest(person.projectId))
    await expect(page.getByRole('radio', { name: /Lyon/ })).toHaveAccessibleName(/Bad/)
    service.clock.advance(120_000)
    await goto(paths.home(person.projectId))
    await expect(server).toContainText('To do: Lyon stopped reporting')
    await goto(paths.ingest(person.projectId))
    await expect(page.getByRole('radio', { name: /Lyon/ })).toHaveAccessibleName(/Not reporting/)
    service.clock.advance(600_000)
    await goto(paths.home(person.projectId))
    await expect(server).toContainText('To do: No server is reporting')
  })
})
