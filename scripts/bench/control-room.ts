// Control room left open: requests, main-thread time and memory growth. The page shows five live channels without
// preview. It is watched for one minute, or for CONTROL_ROOM_MINUTES.
import type { CDPSession, Page } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { call } from '#server/testing/request.ts'
import { weigh } from '#e2e/fixtures/first-view.ts'
import { type Person, signUp } from '#e2e/fixtures/person.ts'
import { startRelay } from '#e2e/fixtures/relay.ts'
import { type Service, startService } from '#e2e/fixtures/service.ts'
import { quick } from '#server/relay/testing/encoder.ts'
import { paths } from '#src/lib/paths.ts'
import { openBrowser } from './browser.ts'
import { score } from './lighthouse.ts'
import { kilobytes, type Row } from './table.ts'

const minutes = Number(process.env['CONTROL_ROOM_MINUTES'] ?? 1)
const goals = { js: 220_000, css: 20_000, perMinute: 4, busy: 0.005, growth: 1_000_000 }
const settleMs = 10_000
const usableText = 'All channels are live (5 of 5)'

/** Starts a broadcast to five channels and measures the page. */
export async function measureControlRoom(): Promise<Row[]> {
  const service = await startService({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  const relay = await startRelay(service, { timing: quick })
  const person = await signUp(service.url)
  const project = { project_id: person.projectId }
  const browser = await openBrowser(service.url, person)
  try {
    await addFive(service, person, relay.platform.port)
    const servers = () => call(service.url, rtmpServers.list, { ...project, interval: 1 }, person.accessToken)
    while ((await servers()).results.length === 0) await new Promise((resolve) => setTimeout(resolve, 200))
    await relay.encode((await call(service.url, streamKeys.get, project, person.accessToken)).key)
    const url = service.url + paths.home(person.projectId)
    await browser.context.addInitScript(() => localStorage.setItem('relaydeck.picture', 'off'))
    const usable = (page: Page) => page.getByText(usableText)
    await browser.inPage(async (page) => {
      await page.goto(url)
      await usable(page).waitFor()
    })
    const { first, all } = await browser.inPage((page) => weigh(page, url, usableText))
    return [
      {
        ...row('control room on air: JS gzip', first.js.gzip, goals.js, kilobytes),
        beside: `in all ${kilobytes(all.js.gzip)} with the realtime connection`,
      },
      row('control room on air: CSS gzip', first.css.gzip, goals.css, kilobytes),
      { what: 'control room on air: requests until it can be used', value: String(first.requests.length) },
      ...(await browser.inPage(async (page) => watch(page, url, usable))),
      ...(await score('control room on air', url, browser.port)),
    ]
  } finally {
    await browser.close()
    await relay.close()
    await service.close()
  }
}

const row = (what: string, value: number, max: number, show: (value: number) => string): Row => ({
  what,
  value: show(value),
  goal: `≤ ${show(max)}`,
  pass: value <= max,
})

async function addFive(service: Service, { projectId, accessToken }: Person, port: number): Promise<void> {
  const plan = { project_id: projectId, plan_restream_id: 3, period: 'month' } as const
  await call(service.url, restream.buy, plan, accessToken)
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const rtmp_url = `rtmp://127.0.0.1:${port}/live`
    const input = { project_id: projectId, name, rtmp_url, stream_key: `key-${name}` }
    const { channel_id } = await call(service.url, addChannel.boosty, input, accessToken)
    await call(service.url, channels.setStatus, { channel_id, status: true }, accessToken)
  }
}

async function watch(
  page: Page,
  url: string,
  usable: (page: Page) => { waitFor: () => Promise<void> },
): Promise<Row[]> {
  let asked = 0
  page.on('request', (request) => (asked += new URL(request.url()).pathname.startsWith('/method/') ? 1 : 0))
  await page.goto(url)
  await usable(page).waitFor()
  await page.waitForTimeout(settleMs)
  const devtools = await page.context().newCDPSession(page)
  // Thread time, because wall time depends on the load of the machine.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await look(devtools)
  asked = 0
  await page.waitForTimeout(minutes * 60_000)
  const seen = asked
  const after = await look(devtools)
  const busy = (after.busyS - before.busyS) / (minutes * 60)
  const hidden = await askedWhileHidden(page, () => asked)
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  const span = `${minutes} min`
  return [
    row(`control room on air: API requests a minute, over ${span}`, seen / minutes, goals.perMinute, (n) =>
      n.toFixed(1),
    ),
    row('control room hidden: API requests in 15 s', hidden, 0, String),
    row(`control room on air: main thread busy, over ${span}`, busy, goals.busy, percent),
    row(`control room on air: heap grown after ${span}`, after.heap - before.heap, goals.growth, kilobytes),
    {
      what: 'control room on air: heap, elements',
      value: `${kilobytes(after.heap)}, ${after.nodes}`,
      beside: `${kilobytes(before.heap)}, ${before.nodes} before`,
    },
  ]
}

async function look(devtools: CDPSession) {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  const busyS = valueOf('TaskDuration')
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return { busyS, heap: usedSize, nodes: valueOf('Nodes') }
}

async function askedWhileHidden(page: Page, asked: () => number): Promise<number> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.waitForTimeout(1_000)
  const before = asked()
  await page.waitForTimeout(15_000)
  return asked() - before
}
