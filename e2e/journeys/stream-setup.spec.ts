// A person sets their stream up: where to, by what key, who else may see it; and a key that leaked is replaced.
import type { Page } from '@playwright/test'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { join } from '#server/testing/members.ts'
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

test('with a server, everything is ready to paste: address, key, picture for a phone, command', async ({
  page,
  context,
  person,
  service,
  login,
  goto,
  api,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { key } = await api(streamKeys.get, { project_id: person.projectId })
  await report(service.app.services, { pingHost: new URL(service.url).host })
  await login()
  await goto(paths.ingest(person.projectId))

  await expect(page.getByRole('radio', { name: /Frankfurt.*Healthy.*\d ms from here/ })).toBeChecked()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy: Server' }).click()
  await expect.poll(copied).toBe('rtmp://fra.example.com:1935/live')
  await page.getByRole('button', { name: 'Copy: Stream key' }).click()
  await expect.poll(copied).toBe(key)

  await page.getByRole('button', { name: 'QR code for a phone' }).click()
  await expect(page.getByRole('img', { name: 'QR code with the address and the stream key' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('radio', { name: 'SRT' }).check()
  await expect(page).toHaveURL(/by=srt/)
  await expect(page.getByText(/Latency to set for SRT: \d+ ms/)).toBeVisible()
  await page.getByRole('radio', { name: 'ffmpeg' }).check()
  await expect(page.getByText('Run the command below. It sends to srt://fra.example.com:8093')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Command' })).not.toContainText(key)
  await page.getByRole('button', { name: 'Copy: Command' }).click()
  await expect
    .poll(copied)
    .toContain(`-f mpegts 'srt://fra.example.com:8093?streamid=project/${person.projectId}&passphrase=${key}'`)
})

test('a viewer sees that there is a key, and changes nothing', async ({
  page,
  person,
  another,
  service,
  login,
  goto,
  api,
}) => {
  const { key } = await api(streamKeys.get, { project_id: person.projectId })
  const viewer = await another({ name: 'Viewer' })
  const { id } = await service.app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', viewer.email)
    .executeTakeFirstOrThrow()
  await join(service.app, { projectId: person.projectId, userId: id, accessType: 0 })
  await login(viewer)
  await goto(paths.ingest(person.projectId))
  await expect(keyField(page)).toHaveValue(`••••${key.slice(-4)}`)
  await expect(page.getByText('You may look, not send')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replace the key' })).toHaveCount(0)
  await expect(page.getByRole('switch', { name: 'Record broadcasts' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByLabel('When the encoder is lost, channels wait')).toBeDisabled()
  expect(await page.content()).not.toContain(key)
})

test('recording and waiting are set, and are there after a reload', async ({ page, person, login, goto }) => {
  await login()
  await goto(paths.ingest(person.projectId))
  const record = page.getByRole('switch', { name: 'Record broadcasts' })
  const wait = page.getByLabel('When the encoder is lost, channels wait')
  // Both are shown before they are kept.
  const kept = [streamKeys.setRecord, streamKeys.setWait].map(({ path }) =>
    page.waitForResponse((answer) => answer.url().includes(path)),
  )
  await record.click()
  await wait.selectOption({ label: '5 minutes' })
  await expect(record).toBeChecked()
  await expect(wait).toHaveValue('5')
  await expect(wait.getByRole('option')).toHaveText(['Not at all', '1 minute', '2 minutes', '5 minutes'])
  await expect(page.getByText('Your tariff lets them wait 5 minutes at most.')).toBeVisible()
  for (const answer of await Promise.all(kept)) expect(answer.ok()).toBe(true)
  await page.reload()
  await expect(record).toBeChecked()
  await expect(wait).toHaveValue('5')
})

test('pull keys: none on the free plan, one after an upgrade, with its address, a name, a check and an end', async ({
  page,
  context,
  person,
  service,
  login,
  goto,
  api,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await login()
  await goto(paths.ingest(person.projectId, 'pull'))
  const create = page.getByRole('button', { name: 'New pull key' })
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Your tariff has no pull keys.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Compare tariffs' })).toBeVisible()

  await api(restream.buy, { project_id: person.projectId, period: 'month', plan_restream_id: 2 })
  await report(service.app.services, { pingHost: new URL(service.url).host })
  await page.reload()
  await create.click()
  const dialog = page.getByRole('dialog', { name: 'New pull key' })
  await dialog.getByRole('radio', { name: 'HLS' }).check()
  await dialog.getByLabel('Name').fill('Big screen')
  await dialog.getByRole('button', { name: 'New pull key' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('The only pull key of your tariff is in use.')).toBeVisible()
  await expect(create).toHaveAttribute('aria-disabled', 'true')

  await page.getByRole('button', { name: 'Copy: Address to fetch' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^https:\/\/fra\.example\.com\/pull\/[0-9a-f-]{36}\/index\.m3u8$/)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByText('The key is good. Nobody is fetching by it.')).toBeVisible()

  await page.getByRole('button', { name: 'Rename Big screen' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Lobby')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete Lobby' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
  await expect(page.getByText('No pull key yet')).toBeVisible()
  await expect(create).not.toHaveAttribute('aria-disabled', 'true')
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
