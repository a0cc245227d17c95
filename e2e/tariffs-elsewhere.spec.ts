// The tariff page on somebody else's server: one that serves the slots alone, and says odd things in them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '#e2e/fixtures/test.ts'
import { TariffsPage } from '#e2e/pages/tariffs-page.ts'
import { paths } from '#src/lib/paths.ts'

let server: Server
let origin: string
let slots: unknown

test.beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    const { pathname } = new URL(request.url ?? '/', 'http://upstream')
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    if (pathname !== '/method/plan_restream') return response.writeHead(404).end('{}')
    return response.end(typeof slots === 'string' ? slots : JSON.stringify(slots))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(() => server.close())

test.beforeEach(async ({ page, watch }) => {
  watch.allow(/a request to a third party: http:\/\/127\.0\.0\.1/, /status of 404/)
  await page.clock.setSystemTime(new Date('2026-06-15T12:00:00Z'))
  slots = {}
  await page.goto(paths.signIn())
  await page.getByText('Connect to another server').click()
  await page.getByLabel('Base URL').fill(origin)
  await page.getByRole('textbox', { name: 'Access token' }).fill('an-access-token')
  await page.getByRole('textbox', { name: 'Refresh token' }).fill('a-refresh-token')
  await page.getByLabel('Project number').fill('7')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.waitForURL(`**${paths.tariffs(7)}`)
})

test('slots alone: plans by their ids, and the catalogue says that it is not there', async ({ page }) => {
  slots = {
    before: { id: 1, channel_max: 2, bitrate_max: 10_000, support_custom_channel: false, custom_video: 0 },
    current: { id: 4, channel_max: 0, bitrate_max: 0, custom_video: 3, date_end: '2026-06-18T12:00:00Z' },
    next: { id: 2, channel_max: 5, date_start: '2026-06-18T12:00:00Z', surprise: true },
  }
  const tariffs = new TariffsPage(page)
  await page.reload()
  await expect(tariffs.slot('Current')).toContainText('Plan 4')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Channels')).toHaveText(/^0.*Less than in the plan before it: 2$/)
  await expect(tariffs.fact(tariffs.slot('Current'), 'Bitrate')).toContainText(/^0\skbps/)
  await expect(tariffs.fact(tariffs.slot('Current'), 'Custom channels')).toHaveText('Not reported')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Custom video')).toContainText('3')
  await expect(tariffs.slot('Current')).toContainText('3 days left')
  await expect(tariffs.slot('Current')).toContainText('then Plan 2')
  await expect(tariffs.fact(tariffs.slot('Next'), 'Starts')).toContainText('in 3 days')
  await expect(tariffs.catalogue).toContainText('The catalogue is not available here')
})

test('absent, null and empty slots, and an end that has passed', async ({ page }) => {
  const tariffs = new TariffsPage(page)
  slots = { before: null, current: { id: 9, date_end: '2026-06-01T12:00:00Z' }, next: {} }
  await page.reload()
  await expect(tariffs.slot('Before')).toContainText('No plan in this slot')
  await expect(tariffs.slot('Current')).toContainText('The end has passed')
  await expect(tariffs.fact(tariffs.slot('Current'), 'Ended')).toContainText('14 days ago')
  await expect(tariffs.slot('Next')).toContainText('Plan without an ID')
  slots = {}
  await page.reload()
  for (const name of ['Before', 'Current', 'Next'] as const)
    await expect(tariffs.slot(name)).toContainText('No plan in this slot')
})

test('an answer that nobody can read: what was wrong, the raw answer, and a way out', async ({ page }) => {
  const tariffs = new TariffsPage(page)
  slots = { current: { id: 'three', date_end: 'soon' } }
  await page.reload()
  await expect(tariffs.slots).toContainText('The plans of this project cannot be shown')
  await tariffs.slots.getByText('Details').click()
  await expect(tariffs.slots).toContainText('current.id')
  await expect(tariffs.slots.getByRole('textbox')).toHaveValue(/"date_end": "soon"/)
  await expect(tariffs.catalogue).toBeVisible()

  slots = { current: { id: 3 } }
  await tariffs.slots.getByRole('button', { name: 'Retry' }).click()
  await expect(tariffs.slot('Current')).toContainText('Plan 3')
})

test('no JSON at all', async ({ page }) => {
  const tariffs = new TariffsPage(page)
  slots = '<html>Bad gateway</html>'
  await page.reload()
  await expect(tariffs.slots).toContainText('The plans of this project cannot be shown')
  await tariffs.slots.getByText('Details').click()
  await expect(tariffs.slots.getByRole('textbox')).toHaveValue(/Bad gateway/)
})
