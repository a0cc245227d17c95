// The overlay on the real service: it follows the broadcasts of its key, and shows texts as text.
import { afterEach } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import type { BroadcastPublication } from '#contract/events/publications.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import { expect, type Service, test as base } from '#src/testing/page-test.tsx'
import { startOverlay } from './overlay.ts'

/** Address of a script. */
const scriptUrl = ['javascript', 'alert(1)'].join(':')

const rows = () => [...document.querySelectorAll<HTMLElement>('#rows > li')]
const texts = () => rows().map((row) => row.querySelector('.text')?.textContent)
let stop = () => {}
afterEach(() => {
  stop()
  document.body.innerHTML = ''
})

/** Opens the overlay of a key. */
function open({ url }: Service, hash: string): void {
  document.body.innerHTML = '<ol id="rows"></ol>'
  const list = document.querySelector<HTMLElement>('#rows')
  if (list)
    stop = startOverlay(list, hash, { baseUrl: url, realtimeUrl: `${url.replace('http', 'ws')}/connection/websocket` })
}

type Stop = Extract<BroadcastPublication, { event: 'restreams.stopped' }>

interface Stage {
  readonly key: string
  /** Begins a broadcast. @returns a function that publishes changes in it */
  readonly begin: () => Promise<(...changes: ChatChange[]) => void>
  readonly end: () => Promise<unknown>
  /** Publishes that a channel of the last broadcast went off air. */
  readonly channelStopped: () => void
}

const test = base.extend<{ stage: Stage }>({
  stage: async ({ service, person, api }, use) => {
    const node = someNodeOf(service, `node-${person.projectId}`)
    let id = 0
    const publish = (data: Omit<Stop, 'broadcast_id'> | Omit<ChatBatch, 'broadcast_id'>) =>
      service.services.realtime.publish({ type: 'broadcast', id }, { ...data, broadcast_id: id } as Stop | ChatBatch)
    await use({
      key: (await api(chat.key, { project_id: person.projectId })).key,
      end: () => node.end(person.projectId),
      channelStopped: () => publish({ event: 'restreams.stopped', event_id: 'stop', restream_id: 1, payload: null }),
      begin: async () => {
        await node.begin(person.projectId)
        const { broadcast_id } = await onAirOf(service, person)
        id = broadcast_id
        return (...payload) =>
          publish({ event: 'messages', event_id: 'batch', restream_id: null, platform: null, payload })
      },
    })
  },
})

const got = (seq: number, more: Parameters<typeof messageOf>[1] = {}): ChatChange => ({
  action: 'got',
  ...messageOf(seq, more),
})

test('shows messages, removes deleted ones, and follows the next broadcast', async ({ service, stage }) => {
  open(service, `#key=${stage.key}`)
  const send = await stage.begin()
  await expect.poll(() => (send(got(1)), texts())).toEqual(['Message 1'])
  send(got(2), got(3, { name: 'Ann' }), got(4, { name: 'Ann' }))
  await expect.poll(texts).toEqual(['Message 1', 'Message 2', 'Message 3', 'Message 4'])
  send({ action: 'deleted', event_id: 'e1' }, { action: 'cleared', restream_id: 1, sender_id: 'Ann' })
  await expect.poll(texts).toEqual(['Message 2'])
  for (let seq = 10; seq < 80; seq++) send(got(seq))
  await expect.poll(() => texts().at(-1)).toBe('Message 79')
  expect(texts()).toHaveLength(60)
  await stage.end()
  stage.channelStopped()
  await expect.poll(texts, { timeout: 10_000 }).toEqual([])
  const next = await stage.begin()
  await expect
    .poll(() => (next(got(1, { text: 'Next broadcast' })), texts()), { timeout: 10_000 })
    .toEqual(['Next broadcast'])
})

test('shows hostile texts as text', async ({ service, stage }) => {
  open(service, `#key=${stage.key}&size=large`)
  const send = await stage.begin()
  const script = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  const hostile = got(1, {
    name: script,
    text: script,
    entities: [
      { type: 'text', text: script },
      { type: 'link', text: 'click', url: scriptUrl },
      { type: 'emoji', id: '1', name: script, image: 'http://evil.test/a.png' },
    ],
  })
  await expect.poll(() => (send(hostile), texts())).toEqual([`${script}click${script}`])
  expect(rows()[0]?.querySelector('.name')?.textContent).toBe(script)
  expect(document.querySelectorAll('#rows :is(img, script, a)')).toHaveLength(0)
  expect(document.body.dataset['size']).toBe('large')
})

test('holds messages back, so that a deleted one never appears', async ({ service, stage }) => {
  open(service, `#key=${stage.key}&hold=1`)
  const send = await stage.begin()
  await expect.poll(() => (send(got(1)), texts())).toEqual(['Message 1'])
  send(got(2), got(3), { action: 'deleted', event_id: 'e2' })
  expect(texts()).toEqual(['Message 1'])
  await expect.poll(texts).toEqual(['Message 1', 'Message 3'])
})

test('shows the starred message until it is cleared or deleted', async ({ service, stage, answer }) => {
  const starred = () => document.querySelector('.star .text')?.textContent
  let current: string | null = 'e1'
  const missing = { hold_back: 0, on_air: true, may_write: false, results: [] }
  answer(chat.capabilities, () => Response.json({ ...missing, starred: current }))
  answer(chat.message, (_send, url) => Response.json(messageOf(Number(url.searchParams.get('event_id')?.slice(1)))))
  open(service, `#key=${stage.key}&hold=10&fade=1`)
  const send = await stage.begin()
  await expect.poll(starred).toBe('Message 1')
  expect(rows()).toEqual([])
  send({ action: 'starred', event_id: 'e2' })
  await expect.poll(starred).toBe('Message 2')
  send({ action: 'deleted', event_id: 'e1' }, { action: 'starred', event_id: 'e3' })
  await expect.poll(starred).toBe('Message 3')
  send({ action: 'cleared', restream_id: 1, sender_id: null }, { action: 'starred', event_id: null })
  await expect.poll(starred).toBeUndefined()
  current = null
  send({ action: 'starred', event_id: 'e4' }, { action: 'starred', event_id: null })
  await stage.end()
  expect(starred()).toBeUndefined()
})

test('keeps a star that arrives while an older one is loaded', async ({ service, stage, answer }) => {
  const starred = () => document.querySelector('.star .text')?.textContent
  const release = Promise.withResolvers<void>()
  answer(chat.message, (_send, url) => Response.json(messageOf(Number(url.searchParams.get('event_id')?.slice(1)))))
  answer(chat.capabilities, async () => {
    await release.promise
    return Response.json({ hold_back: 0, on_air: true, may_write: false, results: [], starred: 'e1' })
  })
  // Requested after the star was read.
  answer(chat.messages, () => Response.json({ total: 1, items: [messageOf(9)] }))
  open(service, `#key=${stage.key}`)
  const send = await stage.begin()
  await expect.poll(() => (send({ action: 'starred', event_id: 'e2' }), starred())).toBe('Message 2')
  // Arrives after the last of these publications.
  send(got(8))
  await expect.poll(texts).toContain('Message 8')
  release.resolve()
  await expect.poll(texts).toContain('Message 9')
  expect(starred()).toBe('Message 2')
})

test('shows nothing for a wrong key, and for publications that it does not understand', async ({ service, stage }) => {
  open(service, '#key=wrong')
  const send = await stage.begin()
  stop()
  open(service, `#key=${stage.key}`)
  await expect.poll(() => (send(got(1)), texts())).toEqual(['Message 1'])
  send({ action: 'unheard-of' } as unknown as ChatChange)
  send(got(2))
  await expect.poll(texts).toEqual(['Message 1', 'Message 2'])
})
