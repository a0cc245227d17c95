// Widgets in a browser: framed by the page of a stranger, readable in both themes, and empty once their token was replaced.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { problemsOf } from '#e2e/fixtures/accessible.ts'
import { addAll } from '#e2e/fixtures/channels.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'

test('shows the broadcast in the frame of another page, and nothing after its token was replaced', async ({
  page,
  person,
  service,
  login,
  api,
  relay,
  watch,
}) => {
  const project = { project_id: person.projectId }
  await login()
  await relay.encode((await api(streamKeys.get, project)).key)
  const made = await api(widgets.add, { ...project, kind: 'health', name: 'Health' })
  const address = `${service.url}/overlay/health#template_id=${made.template_id}&token=${made.token}`
  const widget = await page.context().newPage()
  for (const colorScheme of ['light', 'dark'] as const) {
    await widget.emulateMedia({ colorScheme })
    await widget.goto(address)
    await expect(widget.getByRole('heading', { name: 'On air' })).toBeVisible()
    await expect(widget.getByText('Bitrate')).toBeVisible()
    expect(await problemsOf(widget)).toEqual([])
  }
  const stranger = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`)
  }).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const { port } = stranger.address() as AddressInfo
  watch.allow(/a request to a third party/, /status of 40[134]/)
  await widget.goto(`http://127.0.0.1:${port}/`)
  const frame = widget.frameLocator('iframe')
  await expect(frame.getByRole('heading', { name: 'On air' })).toBeVisible()
  await api(widgets.token, { ...project, template_id: made.template_id })
  await expect(frame.locator('#widget')).toBeEmpty()
  stranger.close()
})

test('the dock of 300 pixels keeps names and switches beside each other in Russian', async ({
  person,
  service,
  api,
  otherBrowser,
}) => {
  const project = { project_id: person.projectId }
  await addAll(service.url, person, ['Own server', 'Twitch of the team'])
  const scopes = ['control', 'broadcasts:read', 'channels:read'] as const
  const { token } = await api(apiTokens.create, { name: 'Dock', scopes: [...scopes], ...project })
  const dock = await otherBrowser({ viewport: { width: 300, height: 600 }, locale: 'ru-RU' })
  await dock.goto(`${service.url}/overlay/dock#project=${person.projectId}&token=${token}`)
  await expect(dock.getByRole('switch')).toHaveCount(2)
  // The longest state of a channel on air.
  await dock.locator('.word').evaluateAll((all) => all.forEach((word) => (word.textContent = 'Повторяет попытку')))
  for (const row of await dock.locator('.lines li').all()) {
    const [name, button] = [await row.locator('.name').boundingBox(), await row.getByRole('switch').boundingBox()]
    expect(name?.width).toBeGreaterThan(150)
    expect(Math.abs((name?.y ?? 0) - (button?.y ?? 0))).toBeLessThan(12)
  }
})
