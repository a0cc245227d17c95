// Pages on a line of 150 ms and 1.6 Mbps, which DevTools apply to the page and to its service worker: the first visit, with
// nothing kept, and the second one. The time is that until the page can be used, the median of three.
import type { Page } from '@playwright/test'
import WebSocket from 'ws'
import { visit, type Visit } from '#e2e/fixtures/first-view.ts'
import type { Person } from '#e2e/fixtures/person.ts'
import { paths } from '#src/lib/paths.ts'
import type { Browser } from './browser.ts'
import { kilobytes, median, type Row } from './table.ts'

const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
const runs = 3
const goals = { requests: 16, bytes: 340_000 }

/** Measures pages of a signed-in browser. */
export async function measureSlowLine(browser: Browser, url: string, { projectId }: Person): Promise<Row[]> {
  const pages = [
    ['Home', paths.home(projectId)],
    ['Channels', paths.channels(projectId)],
    ['Plans', paths.tariffs(projectId)],
  ] as const
  const rows: Row[] = []
  for (const [name, path] of pages) {
    const visits: { readonly first: Visit; readonly second: Visit }[] = []
    for (let run = 0; run < runs; run++) {
      await browser.inPage((page) => forget(page, url))
      const first = await browser.inPage((page) => visitSlowly(browser, page, url + path))
      visits.push({ first, second: await browser.inPage((page) => visitSlowly(browser, page, url + path)) })
    }
    rows.push(
      rowOf(
        `${name} on 150 ms, 1.6 Mbps: first visit`,
        visits.map(({ first }) => first),
        true,
      ),
    )
    rows.push(
      rowOf(
        `${name} on 150 ms, 1.6 Mbps: second visit`,
        visits.map(({ second }) => second),
        false,
      ),
    )
  }
  return rows
}

function rowOf(what: string, visits: readonly Visit[], isFirst: boolean): Row {
  const requests = median(visits.map((one) => one.requests.length))
  const bytes = median(visits.map((one) => one.requests.reduce((sum, { bytes: size }) => sum + size, 0)))
  const value = `${Math.round(median(visits.map(({ usableMs }) => usableMs)))} ms`
  const beside = `${requests} requests, ${kilobytes(bytes)}`
  if (!isFirst) return { what, value, beside }
  const goal = `≤ ${goals.requests} requests, ${kilobytes(goals.bytes)}`
  return { what, value, beside, goal, pass: requests <= goals.requests && bytes <= goals.bytes }
}

/** Removes the HTTP cache, the service worker and what it keeps. The session stays. */
async function forget(page: Page, url: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'service_workers,cache_storage' })
}

/** Visits a page, and waits until the service worker keeps its files. */
async function visitSlowly({ port }: Browser, page: Page, address: string): Promise<Visit> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', line)
  const workers = await slowWorkers(port)
  try {
    const seen = await visit(page, address)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(async () => {
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
      const kept = await Promise.all(files.map(({ name }) => caches.match(name, { ignoreVary: true })))
      return kept.every((file) => file !== undefined)
    })
    return seen
  } finally {
    workers.close()
  }
}

/** Applies the line to every service worker of the browser: DevTools slow a page without its worker. */
async function slowWorkers(port: number): Promise<{ readonly close: () => void }> {
  const about = (await (await fetch(`http://127.0.0.1:${port}/json/version`)).json()) as {
    webSocketDebuggerUrl: string
  }
  const socket = new WebSocket(about.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let id = 0
  const send = (method: string, params: object, sessionId?: string): void =>
    socket.send(JSON.stringify({ id: ++id, method, params, ...(sessionId && { sessionId }) }))
  const attached = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as {
        readonly id?: number
        readonly method?: string
        readonly params?: { readonly sessionId: string; readonly targetInfo: { readonly type: string } }
      }
      if (message.id === 1) resolve()
      if (message.method !== 'Target.attachedToTarget' || !message.params) return
      const { sessionId, targetInfo } = message.params
      if (targetInfo.type !== 'service_worker') return
      send('Network.enable', {}, sessionId)
      send('Network.emulateNetworkConditions', line, sessionId)
    })
  })
  const filter = [{ type: 'service_worker' }]
  send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter })
  await attached
  return { close: () => socket.close() }
}
