// First run: from the owner's link to on air with a key by six clicks, with a stream of ffmpeg.
import type { Locator } from '@playwright/test'
import { axe } from '#e2e/fixtures/accessible.ts'
import { startRelay } from '#e2e/fixtures/relay.ts'
import { startService } from '#e2e/fixtures/service.ts'
import { quickly } from '#e2e/fixtures/on-air.ts'
import { expect, opened, test as base } from '#e2e/fixtures/test.ts'
import { folder, hasPrograms, publish, sample } from '#server/relay/testing/programs.ts'

const settings = { SIGN_UP: 'auto', BILLING: '', ALLOW_PRIVATE_DESTINATIONS: 'on' }

/** A service without an account. */
const test = base.extend({
  service: async ({ shared }, use) =>
    use(await shared('service without accounts', () => opened(startService(settings)))),
})

test.skip(!hasPrograms, 'the stream is made by ffmpeg')

test('leads from the link of the owner to on air by six clicks', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const relay = await startRelay(service, { timing: quickly })
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  await page.goto(service.app.ownerLink() ?? '')
  await page.getByLabel('Name').fill('Olga')
  await page.getByLabel('E-mail').fill('olga@example.com')
  await page.getByLabel('Password').fill('a-long-password')
  await click(page.getByRole('button', { name: 'Create account' }))

  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Your first broadcast' })).toBeVisible()
  expect.soft(await axe(page)).toEqual([])
  await click(main.getByRole('link', { name: 'Add a channel' }))
  await click(main.getByRole('link', { name: /^RTMP/ }))
  await main.getByRole('textbox', { name: 'Address' }).fill(`rtmp://127.0.0.1:${relay.platform.port}/live`)
  await main.getByLabel('Stream key', { exact: true }).fill('secret-key')
  await click(main.getByRole('button', { name: 'Add channel' }))

  await click(main.getByRole('button', { name: 'Copy address' }))
  await expect(main.getByRole('button', { name: 'Copied' })).toBeVisible()
  const address = await copied()
  await click(main.getByRole('button', { name: 'Copy stream key' }))
  await expect(main.getByText('Waiting for your stream')).toBeVisible()
  const encoder = publish(await sample(folder(), 20), `${address}/${await copied()}`)

  await expect(main.getByRole('heading', { name: 'Incoming stream' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('banner').getByRole('link', { name: /On air/ })).toBeVisible()
  expect(clicks).toBe(6)
  await encoder.done()
  await relay.close()
})
