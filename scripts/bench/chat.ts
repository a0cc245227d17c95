// The chat page in a flood: main thread beside a plain list, time from the platform to the picture, memory, weights.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { call } from '#server/testing/request.ts'
import { mainThread } from '#e2e/fixtures/main-thread.ts'
import { type Person, signUp } from '#e2e/fixtures/person.ts'
import { type Service, startService } from '#e2e/fixtures/service.ts'
import { type TwitchChatDouble, twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import { paths } from '#src/lib/paths.ts'
import { openBrowser } from './browser.ts'
import { plainList, watchPaint } from './chat-page.ts'
import { kilobytes, type Row } from './table.ts'

const goals = {
  busy: 0.2,
  /** Times the main-thread time of a plain list. */
  plain: 1.5,
  taskMs: 100,
  calmMs: { p50: 150, p95: 400 },
  heap: 25_000_000,
  page: 45_000,
  overlay: 35_000,
}
const flood = { perSecond: 200, seconds: 10, everyMs: 50 }
const calm = { messages: 50, everyMs: 110 }
const seen = { messages: 100_000, batch: 50, batchesAtOnce: 40 }

/** Measures the chat page of a channel that a double of Twitch feeds. */
export async function measureChat(): Promise<Row[]> {
  const double = await twitchChatDouble()
  const service = await startService(registeredAt(double.base))
  const person = await signUp(service.url)
  const browser = await openBrowser(service.url, person)
  try {
    await browser.context.addInitScript(watchPaint)
    const broadcastId = await goOnAir(service, person)
    return await browser.inPage(async (page) => {
      const overlay = await weighOverlay(page, service, person)
      // Scripts of the chat page that neither a list nor a form of other pages loads.
      const others = [
        ...(await scriptsOf(page, service.url + paths.channels(person.projectId), 'Channels')),
        ...(await scriptsOf(page, service.url + paths.account(), 'Account')),
      ]
      const own = (await scriptsOf(page, service.url + paths.chat(person.projectId), 'Send a sample')).filter(
        (file) => !others.includes(file),
      )
      while (!double.irc.joined().includes('#ann')) await wait(100)
      return [
        ...(await latency(page, double)),
        ...(await busy(page, double)),
        await memory(page, service, broadcastId),
        atMost('chat page: JS gzip of its own', gzipped(own), goals.page, kilobytes),
        atMost('overlay: JS and CSS gzip', overlay, goals.overlay, kilobytes),
      ]
    })
  } finally {
    await browser.close()
    await service.close()
    await double.close()
  }
}

const atMost = (what: string, value: number, max: number, show: (value: number) => string, beside = ''): Row => ({
  what,
  value: show(value),
  beside,
  goal: `≤ ${show(max)}`,
  pass: value <= max,
})
const ms = (value: number): string => `${Math.round(value)} ms`
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Puts a project with a channel of Twitch on air. @returns the broadcast */
async function goOnAir(service: Service, { projectId, accessToken }: Person): Promise<number> {
  const input = {
    project_id: projectId,
    type: 'twitch',
    name: 'Ann',
    rtmp_url: 'rtmp://ingest.example.com/live',
    stream_key: 'secret-key',
    channel_url: 'https://www.twitch.tv/Ann',
  } as const
  const { channel_id } = await call(service.url, addChannel.any, input, accessToken)
  const node = someNodeOf({ services: service.app.services, clock: service.clock })
  await node.begin(projectId)
  await node.channel(projectId, channel_id, 'live')
  const status = await call(service.url, broadcasts.status, { project_id: projectId }, accessToken)
  return (status as OnAir).broadcast_id
}

/** Time from the message of the platform to the frame that shows it, in a calm chat. */
async function latency(page: Page, double: TwitchChatDouble): Promise<Row[]> {
  for (let sent = 0; sent < calm.messages; sent++) {
    double.irc.say('ann', `sent-${Date.now()}-${sent}`)
    await wait(calm.everyMs)
  }
  const { p50, p95, count } = await painted(page)
  return [
    atMost('chat page, 9 messages a second: platform to picture, p50', p50, goals.calmMs.p50, ms),
    atMost('chat page, 9 messages a second: platform to picture, p95', p95, goals.calmMs.p95, ms, `${count} messages`),
  ]
}

/** Main thread at 200 messages a second, then of a plain list with the same texts. */
async function busy(page: Page, double: TwitchChatDouble): Promise<Row[]> {
  const thread = await mainThread(page)
  const ours = await thread.cost(async () => {
    const perTurn = (flood.perSecond * flood.everyMs) / 1_000
    for (let turn = 0; turn < (flood.seconds * 1_000) / flood.everyMs; turn++) {
      for (let one = 0; one < perTurn; one++)
        double.irc.say('ann', `sent-${Date.now()}-${turn} some words of a viewer number ${one}`)
      await wait(flood.everyMs)
    }
  })
  const { p50, p95, longest } = await painted(page)
  const plain = await page.context().newPage()
  const plainThread = await mainThread(plain)
  await plain.bringToFront()
  const floor = await plainThread.cost(() => plain.evaluate(plainList, flood))
  const plainLongest = (await painted(plain)).longest
  await plain.close()
  await page.bringToFront()
  const [share, floorShare] = [ours / flood.seconds / 1_000, floor / flood.seconds / 1_000]
  return [
    {
      what: 'chat page, 200 messages a second: main thread busy',
      value: percent(share),
      beside: `plain list of 200 rows ${percent(floorShare)}`,
      goal: `≤ ${percent(goals.busy)}, or ≤ ${goals.plain} × plain`,
      pass: share <= goals.busy || share <= goals.plain * floorShare,
    },
    {
      what: 'chat page, 200 messages a second: longest task',
      value: ms(longest),
      beside: `plain list ${ms(plainLongest)}`,
      goal: `≤ ${ms(goals.taskMs)}, or ≤ plain`,
      pass: longest <= Math.max(goals.taskMs, plainLongest),
    },
    {
      what: 'chat page, 200 messages a second: platform to picture',
      value: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
    },
  ]
}

/** Returns what `watchPaint` recorded since the last call. */
async function painted(page: Page) {
  await page.waitForTimeout(1_000)
  const { times, longest } = await page.evaluate(() => globalThis.takePainted())
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), count: times.length, longest }
}

/** Growth of the heap after 100,000 messages. */
async function memory(page: Page, service: Service, broadcastId: number): Promise<Row> {
  const devtools = await page.context().newCDPSession(page)
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    return (await devtools.send('Runtime.getHeapUsage')).usedSize
  }
  const before = await heap()
  let seq = 1_000_000
  for (let left = seen.messages / seen.batch; left > 0; left -= seen.batchesAtOnce) {
    for (let batch = 0; batch < seen.batchesAtOnce; batch++) {
      const payload = Array.from({ length: seen.batch }, () => ({
        action: 'got' as const,
        ...messageOf(++seq, { broadcast_id: broadcastId }),
      }))
      const about = { broadcast_id: broadcastId, event_id: `batch-${seq}`, restream_id: null, platform: null }
      service.app.services.realtime.publish(
        { type: 'broadcast', id: broadcastId },
        { event: 'messages', ...about, payload },
      )
    }
    await page.getByRole('log').getByText(`Message ${seq}`, { exact: true }).waitFor()
  }
  await page.evaluate(() => globalThis.takePainted())
  return atMost('chat page: heap grown after 100,000 messages', (await heap()) - before, goals.heap, kilobytes)
}

/** Opens a page. @returns the paths of its scripts */
async function scriptsOf(page: Page, url: string, text: string): Promise<string[]> {
  await page.goto(url)
  await page.getByText(text).first().waitFor()
  await page.waitForLoadState('networkidle')
  const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  return [...new Set(names.map((name) => new URL(name).pathname))].filter((name) => name.endsWith('.js'))
}

/** Built file of a path. */
const placeOf = (file: string): string => (file.startsWith('/overlay/') ? `dist${file}` : `dist/dashboard${file}`)

const gzipped = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(placeOf(file))).length, 0)

async function weighOverlay(page: Page, { url }: Service, { projectId, accessToken }: Person): Promise<number> {
  const { key } = await call(url, chat.key, { project_id: projectId }, accessToken)
  await page.goto(`${url}/overlay/chat#key=${key}`)
  const files = await page.evaluate(() =>
    [...document.querySelectorAll('script[src], link[rel=stylesheet], link[rel=modulepreload]')].map(
      (one) => new URL(one.getAttribute('src') ?? one.getAttribute('href') ?? '', location.href).pathname,
    ),
  )
  return gzipped([...new Set(files)])
}
