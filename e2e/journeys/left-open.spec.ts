// Home left open for half an hour of a broadcast, in fast motion: requests, memory and elements stay bounded.
import type { CDPSession, Page } from '@playwright/test'
import { callsOf, quiet } from '#e2e/fixtures/calls.ts'
import { type Line, liveLine, statusAt } from '#e2e/fixtures/live-line.ts'
import { expect, test } from '#e2e/fixtures/test.ts'

const seconds = 1_800
/** Seconds until every bounded store is full: five minutes of a graph, a feed of events. */
const warmUp = 400
const batch = 50

test(
  'half an hour of news: no request, no growth, and nothing at all while hidden',
  { tag: '@nightly' },
  async ({ page, login }) => {
    const line = await liveLine(page)
    await login()
    await expect(page.getByRole('heading', { name: 'Your first broadcast' })).toBeVisible()
    const devtools = await page.context().newCDPSession(page)
    // Thread time, which excludes other work of this machine.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })

    await line.subscribed
    await pushSeconds(page, line, 0, warmUp)
    await expect(page.getByText('4 of 5 channels are live')).toBeVisible()
    // Requests that a new broadcast triggers on the page.
    await quiet(page)
    const asked = callsOf(page)
    const before = await look(devtools)
    await pushSeconds(page, line, warmUp, seconds)
    const after = await look(devtools)
    const figures = {
      'requests in half an hour': asked.length,
      'heap, KB': [before.heap, after.heap].map((bytes) => Math.round(bytes / 1000)),
      elements: [before.nodes, after.nodes],
      'main thread, ms for each second received': (((after.busyS - before.busyS) * 1000) / (seconds - warmUp)).toFixed(
        2,
      ),
    }
    console.log('Left open:', JSON.stringify(figures))
    expect(asked, 'what it asked for in half an hour').toEqual([])
    expect(after.heap - before.heap, 'bytes that it grew by').toBeLessThan(1_500_000)
    expect(after.nodes, 'elements').toBeLessThan(before.nodes * 1.2)

    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await line.drop()
    await page.waitForTimeout(3_000)
    expect(asked, 'what it asked for while hidden, its line cut').toEqual([])
  },
)

/** Sends the seconds of a broadcast, and waits until each batch is shown. */
async function pushSeconds(page: Page, line: Line, from: number, to: number): Promise<void> {
  const shown = page.getByRole('definition').filter({ hasText: 'kbps' })
  for (let second = from; second < to; second += batch) {
    for (let each = second; each < second + batch; each++) {
      line.push(statusAt(each))
      if (each % 10 === 0) await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    await expect(shown).toContainText((5_000 + second + batch - 1).toLocaleString('en-GB'))
  }
}

async function look(devtools: CDPSession) {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  const busyS = valueOf('TaskDuration')
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return { busyS, heap: usedSize, nodes: valueOf('Nodes') }
}
