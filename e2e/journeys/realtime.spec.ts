// Realtime updates of open pages, and polling while the realtime connection is down.
import type { Page } from '@playwright/test'
import { Centrifuge } from 'centrifuge'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import type { Input, Operation } from '#contract/core/operation.ts'
import { call } from '#server/testing/request.ts'
import { callsOf, quiet } from '#e2e/fixtures/calls.ts'
import { onAir as test, quickly } from '#e2e/fixtures/on-air.ts'
import type { Person } from '#e2e/fixtures/person.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

// A busy machine makes a platform late: the relay retries soon.
test.use({ timing: quickly })

const isConnected = (page: Page) =>
  page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"subscribe"')))

const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })

const show = (page: Page) =>
  page.evaluate(() => {
    Reflect.deleteProperty(document, 'hidden')
    Reflect.deleteProperty(document, 'visibilityState')
    document.dispatchEvent(new Event('visibilitychange'))
  })

interface ServerMessage {
  readonly push?: { readonly channel: string; readonly pub?: { readonly offset: number; readonly data: unknown } }
}
/** Published messages by channel and sequence number. */
type Publications = Map<string, Map<number, string>>

function record(received: Publications, channel: string, offset: number, data: unknown): void {
  const own = received.get(channel) ?? new Map<number, string>()
  received.set(channel, own.set(offset, JSON.stringify(data)))
}

/** Records the messages that a page receives from now on. */
function receivedBy(page: Page): Publications {
  const received: Publications = new Map()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      for (const line of String(payload).split('\n')) {
        const { push } = JSON.parse(line) as ServerMessage
        if (push?.pub) record(received, push.channel, push.pub.offset, push.pub.data)
      }
    }),
  )
  return received
}

/** Records the messages that a program receives with the published official client. */
async function receivedByProgram(
  url: string,
  person: Person,
  names: readonly string[],
): Promise<{ readonly received: Publications; readonly close: () => void }> {
  const project = { project_id: person.projectId }
  const ask = <O extends Operation>(op: O, input: Input<O>) => call(url, op, input, person.accessToken)
  const client = new Centrifuge(`${url.replace('http', 'ws')}/connection/websocket`, {
    getToken: async () => (await ask(tokens.connect, project)).access_token,
  })
  const received: Publications = new Map()
  for (const channel_name of names) {
    const getToken = async () => (await ask(tokens.channel, { ...project, channel_name })).access_token
    const subscription = client.newSubscription(channel_name, channel_name.startsWith('$') ? { getToken } : {})
    subscription.on('publication', ({ offset = 0, data }) => record(received, channel_name, offset, data))
    subscription.subscribe()
  }
  client.connect()
  for (const subscription of Object.values(client.subscriptions())) await subscription.ready(10_000)
  return { received, close: () => client.disconnect() }
}

/** Asserts that both received the same messages in the same order, without gaps between the first and last shared ones. */
function expectSame(one: Publications, other: Publications, channel: string, atLeast: number): void {
  const [mine, theirs] = [one.get(channel), other.get(channel)]
  const from = Math.max(...[mine, theirs].map((received) => Math.min(...(received?.keys() ?? []))))
  const to = Math.min(...[mine, theirs].map((received) => Math.max(...(received?.keys() ?? []))))
  const part = (received: ReadonlyMap<number, string> = new Map()) =>
    [...received].filter(([offset]) => offset >= from && offset <= to)
  expect(part(mine).map(([offset]) => offset)).toEqual(
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  )
  expect(part(theirs)).toEqual(part(mine))
  expect(part(mine).length).toBeGreaterThanOrEqual(atLeast)
}

test('sends two browsers and a program the same messages in order, without requests', async ({
  page,
  otherBrowser,
  person,
  login,
  api,
  relay,
  service,
  watch,
}) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const added = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
  await api(channels.setStatus, { channel_id: added.channel_id, status: true })
  const other = await otherBrowser()
  const pages = [page, other]
  const onPages = pages.map(receivedBy)
  await Promise.all(
    pages.map(async (one) => {
      const connected = isConnected(one)
      await login(person, one)
      await expect(one.getByRole('heading', { name: 'Your first broadcast' })).toBeVisible()
      await connected
    }),
  )

  const [own, live] = [`project#${person.projectId}`, `$project_live:${person.projectId}`]
  const program = await receivedByProgram(service.url, person, [own, live])
  const onAirId = async () => {
    const status = await api(broadcasts.status, project)
    return status.kind === 'live' ? status.broadcast_id : 0
  }

  await relay.encode((await api(streamKeys.get, project)).key)
  for (const one of pages) {
    const row = one.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
    await expect(row).toContainText('Live')
  }
  // Deferred requests of the first view have ended: events, disabled channels, preview.
  for (const one of pages) {
    await one.getByRole('heading', { name: 'Events' }).scrollIntoViewIfNeeded()
    await expect(one.getByRole('list', { name: 'Events' }).getByRole('listitem').first()).toBeVisible()
  }
  await Promise.all(pages.map((one) => quiet(one)))
  const calls = pages.map(callsOf)
  // On a busy machine an earlier request may come late.
  await expect(async () => {
    for (const made of calls) made.length = 0
    await page.waitForTimeout(6_000)
    for (const made of calls) expect(made.length, made.join()).toBeLessThanOrEqual(1)
  }).toPass()

  await relay.platform.down()
  for (const one of pages) {
    const row = one.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
    await expect(row).toContainText('Retrying')
  }
  expect(watch.problems()).toEqual([])
  await relay.platform.up()
  for (const one of pages) {
    const row = one.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
    await expect(row).toContainText('Live')
  }
  await api(broadcasts.stop, { ...project, broadcast_id: await onAirId() })
  for (const one of pages) await expect(one.getByRole('heading', { name: 'You are off air' })).toBeVisible()
  const ended = () => [...(program.received.get(own)?.values() ?? [])].some((data) => data.includes('"stream-end"'))
  await expect.poll(ended).toBe(true)
  program.close()
  for (const received of onPages) {
    expectSame(received, program.received, live, 12)
    expectSame(received, program.received, own, 2)
  }
})

test('shows a change of one browser in the other', async ({ page, otherBrowser, person, login, api }) => {
  const project = { project_id: person.projectId }
  const other = await otherBrowser()
  for (const one of [page, other]) {
    // The connection of the previous page exists already; it must not count as that of the next page.
    const before = isConnected(one)
    await login(person, one)
    await before
    const connected = isConnected(one)
    await one.goto(paths.channels(person.projectId))
    await connected
  }
  await api(addChannel.boosty, { ...project, name: 'New one', rtmp_url: 'rtmp://a.example.com/x', stream_key: 'key' })
  for (const one of [page, other]) await expect(one.getByRole('main').getByText('New one').first()).toBeVisible()
})

test('polls and reports it without a realtime connection; a hidden page sends no requests', async ({
  page,
  person,
  login,
  api,
  relay,
  watch,
}) => {
  watch.allow(/WebSocket/)
  const project = { project_id: person.projectId }
  let isCut = true
  await page.routeWebSocket(/connection\/websocket/, async (socket) => {
    if (isCut) await socket.close({ code: 1011 })
    else socket.connectToServer()
  })
  await login()
  const mark = page.getByRole('banner').getByText('Live updates are off')
  await expect(mark).toBeAttached()
  await relay.encode((await api(streamKeys.get, project)).key)
  await expect(page.getByRole('main').getByRole('heading', { name: /On air/ })).toBeVisible()

  await hide(page)
  const calls = callsOf(page)
  // Earlier requests may still be in flight.
  await expect(async () => {
    calls.length = 0
    await page.waitForTimeout(5_000)
    expect(calls).toEqual([])
  }).toPass()

  isCut = false
  await show(page)
  await expect(mark).not.toBeAttached()
})

test('updates a tab immediately when it wakes over a dead connection', async ({ page, person, login, api, relay }) => {
  const project = { project_id: person.projectId }
  const lines: { isDead: boolean; isHeard: boolean }[] = []
  await page.routeWebSocket(/connection\/websocket/, (socket) => {
    const line = { isDead: false, isHeard: false }
    lines.push(line)
    const server = socket.connectToServer()
    socket.onMessage((message) => line.isDead || server.send(message))
    server.onMessage((message) => {
      line.isHeard ||= String(message).includes('"subscribe"')
      if (!line.isDead) socket.send(message)
    })
  })
  await login()
  await expect(page.getByRole('heading', { name: 'Your first broadcast' })).toBeVisible()
  await expect.poll(() => lines.filter(({ isHeard }) => isHeard).length).toBe(1)
  await quiet(page)
  await hide(page)
  // No close frame is sent: the connection looks open.
  for (const line of lines) line.isDead = true
  await relay.encode((await api(streamKeys.get, project)).key)
  await expect.poll(async () => (await api(broadcasts.status, project)).kind).toBe('live')
  await expect(page.getByRole('heading', { name: 'Your first broadcast' })).toBeVisible()
  const woke = Date.now()
  await show(page)
  await expect(page.getByRole('main').getByRole('heading', { name: /On air/ })).toBeVisible()
  // Duration for the report.
  test.info().annotations.push({ type: 'milliseconds until it is right', description: String(Date.now() - woke) })
  await expect.poll(() => lines.length).toBe(2)
})
