// Widgets in a browser: framed by the page of a stranger, readable in both themes, and empty once their token was replaced.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { problemsOf } from '#e2e/fixtures/accessible.ts'
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
