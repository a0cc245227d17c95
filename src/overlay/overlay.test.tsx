// The overlay on the real service: it follows the broadcasts of its key, and shows texts as text.
import { afterEach } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import { followKey } from '#src/realtime/key-feed.ts'
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
const open = ({ url }: Service, hash: string) => {
  document.body.innerHTML = '<ol id="rows"></ol>'
  const list = document.querySelector<HTMLElement>('#rows')
  const at = { baseUrl: url, realtimeUrl: `${url.replace('http', 'ws')}/connection/websocket` }
  if (list) stop = startOverlay(list, hash, at)
}

interface Stage {
  readonly key: string
  /** Begins a broadcast. @returns a function that publishes changes in it */
  readonly begin: () => Promise<(...changes: ChatChange[]) => void>
  /** Ends the broadcast, and publishes that. */
  readonly end: () => Promise<void>
}

const test = base.extend<{ stage: Stage }>({
  stage: async ({ service, person, api }, use) => {
    const node = someNodeOf(service, `node-${person.projectId}`)
    let id = 0
    await use({
      key: (await api(chat.key, { project_id: person.projectId })).key,
      end: async () => {
        await node.end(person.projectId)
        const about = { broadcast_id: id, event_id: 'end', restream_id: null, payload: null }
        service.services.realtime.publish({ type: 'broadcast', id }, { event: 'broadcast.ended', ...about })
      },
      begin: async () => {
        await node.begin(person.projectId)
        const { broadcast_id } = await onAirOf(service, person)
        id = broadcast_id
        const batch = { event: 'messages', broadcast_id, event_id: 'batch', restream_id: null, platform: null } as const
        return (...payload) =>
          service.services.realtime.publish({ type: 'broadcast', id: broadcast_id }, { ...batch, payload })
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
  send({ action: 'deleted', event_id: 'e1', rev: 5 }, { action: 'cleared', restream_id: 1, sender_id: 'Ann', rev: 6 })
  await expect.poll(texts).toEqual(['Message 2'])
  for (let seq = 10; seq < 80; seq++) send(got(seq))
  await expect.poll(() => texts().at(-1)).toBe('Message 79')
  expect(texts()).toHaveLength(60)
  await stage.end()
  await expect.poll(texts, { timeout: 10_000 }).toEqual([])
  const next = await stage.begin()
  await expect
    .poll(() => (next(got(1, { text: 'Next broadcast' })), texts()), { timeout: 10_000 })
    .toEqual(['Next broadcast'])
})

test('reports that the connection is not complete before it is', async ({ service, stage }) => {
  const events: string[] = []
  await stage.begin()
  stop = followKey({
    baseUrl: service.url,
    realtimeUrl: `${service.url.replace('http', 'ws')}/connection/websocket`,
    key: stage.key,
    listener: {
      broadcast: () => {},
      data: () => {},
      lost: () => events.push('lost'),
      connected: () => events.push('connected'),
    },
  })
  await expect.poll(() => events).toEqual(['lost', 'connected'])
})

test('scenario 2, invariant 11: shows hostile texts as text', async ({ service, stage }) => {
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
  send(got(2), got(3), { action: 'deleted', event_id: 'e2', rev: 4 })
  expect(texts()).toEqual(['Message 1'])
  await expect.poll(texts).toEqual(['Message 1', 'Message 3'])
})

test('shows the starred message until it is cleared or deleted, and ignores older changes', async ({
  service,
  stage,
  answer,
}) => {
  const starred = () => document.querySelector('.star .text')?.textContent
  const star = (rev: number, event_id: string | null): ChatChange => ({ action: 'starred', event_id, rev })
  const missing = { hold_back: 0, on_air: true, may_write: false, results: [] }
  answer(chat.capabilities, () => Response.json({ ...missing, starred: 'e1', star_rev: 1 }))
  answer(chat.message, (_send, url) => Response.json(messageOf(Number(url.searchParams.get('event_id')?.slice(1)))))
  open(service, `#key=${stage.key}&hold=10&fade=1`)
  const send = await stage.begin()
  await expect.poll(starred).toBe('Message 1')
  expect(rows()).toEqual([])
  // Published by another replica in the opposite order.
  send(star(3, 'e3'), star(2, 'e2'))
  await expect.poll(starred).toBe('Message 3')
  send({ action: 'deleted', event_id: 'e1', rev: 3 }, star(4, 'e4'))
  await expect.poll(starred).toBe('Message 4')
  send({ action: 'cleared', restream_id: 1, sender_id: null, rev: 4 }, star(5, null))
  await expect.poll(starred).toBeUndefined()
  send(star(6, 'e6'), star(7, null))
  await stage.end()
  expect(starred()).toBeUndefined()
})

test('keeps a star that arrives while an older one is loaded', async ({ service, stage, answer }) => {
  const starred = () => document.querySelector('.star .text')?.textContent
  const release = Promise.withResolvers<void>()
  answer(chat.message, (_send, url) => Response.json(messageOf(Number(url.searchParams.get('event_id')?.slice(1)))))
  answer(chat.capabilities, async () => {
    await release.promise
    return Response.json({ hold_back: 0, on_air: true, may_write: false, results: [], starred: 'e1', star_rev: 1 })
  })
  // Requested after the star was read.
  answer(chat.messages, () => Response.json({ total: 1, rev: 0, items: [messageOf(9)] }))
  open(service, `#key=${stage.key}&hold=0`)
  const send = await stage.begin()
  await expect.poll(() => (send({ action: 'starred', event_id: 'e2', rev: 2 }), starred())).toBe('Message 2')
  release.resolve()
  await expect.poll(texts).toContain('Message 9')
  expect(starred()).toBe('Message 2')
})

test('draws badges that have an image, and their title as text only', async ({ service, stage }) => {
  open(service, `#key=${stage.key}`)
  const send = await stage.begin()
  const title = '"><script>alert(1)</script>'
  const badges = [
    { id: 'mod', title, image: 'https://static-cdn.jtvnw.net/badges/mod.png' },
    { id: 'bad', title, image: scriptUrl },
    { id: 'none', title },
  ]
  const message = messageOf(1)
  await expect
    .poll(() => (send({ action: 'got', ...message, sender: { ...message.sender, badges } }), rows().length))
    .toBe(1)
  const images = [...document.querySelectorAll<HTMLImageElement>('#rows .badge')]
  expect(images.map(({ src, alt }) => [src, alt])).toEqual([['https://static-cdn.jtvnw.net/badges/mod.png', title]])
  expect(document.querySelectorAll('#rows script')).toHaveLength(0)
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
