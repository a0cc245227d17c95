// Messages of web push, read by the service worker of the dashboard.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { root } from '#server/core/root.ts'
import { payloadOf } from './push.ts'

const origin = 'https://live.example.com'

/** Loads the service worker. @returns its handlers, and the notifications that it shows */
function worker(clients: object = {}) {
  const handlers: Record<string, (event: object) => void> = {}
  const shown: { title: string; options: { body: string; tag?: string; data: { url: string } } }[] = []
  const self = {
    clients,
    location: { origin },
    addEventListener: (name: string, handler: (event: object) => void) => (handlers[name] = handler),
    registration: { showNotification: (title: string, options: never) => shown.push({ title, options }) },
  }
  runInNewContext(readFileSync(join(root, 'public/worker.js'), 'utf8'), { self, URL })
  return { handlers, shown }
}

/** Runs the service worker with a message. @returns the notification that it shows */
async function shownBy(json: string | null) {
  const { handlers, shown } = worker()
  const data = json === null ? null : { json: () => JSON.parse(json) as unknown }
  handlers['push']?.({ data, waitUntil: () => {} })
  expect(shown).toHaveLength(1)
  return { title: shown[0]?.title, ...shown[0]?.options }
}

/** Clicks a notification of `/p/7/billing`. @param paths open windows @returns where its page opens */
async function clickWith(paths: readonly string[]) {
  const done: string[] = []
  const windows = paths.map((path) => ({
    url: origin + path,
    focus: async () => {},
    navigate: async (url: string) => done.push(`${path} → ${url}`),
  }))
  const { handlers } = worker({
    matchAll: async () => windows,
    openWindow: async (url: string) => done.push(`new → ${url}`),
  })
  const notification = { close: () => {}, data: { url: `${origin}/p/7/billing` } }
  await new Promise((resolve) => {
    handlers['notificationclick']?.({ notification, waitUntil: (shown: Promise<void>) => resolve(shown) })
  })
  return done
}
const linkOf = async (url: string) => (await shownBy(JSON.stringify({ url }))).data?.url

test('scenario 2: shows hostile texts as text', async () => {
  const title = '<img src=x onerror=alert(1)>'
  const text = `<script>alert(1)</script> ${['javascript', 'alert(1)'].join(':')}`
  const item = { kind: 'k', title, text, link: '/p/7', date: '' }
  const of = { id: 'm', channel: 'mobile', userId: 1, projectId: 7, language: 'en', email: null, chatId: null } as const
  const shown = await shownBy(JSON.stringify(payloadOf({ ...of, items: [item] })))
  // Browsers show both as text.
  expect(shown).toMatchObject({ title, body: text, data: { url: `${origin}/p/7` } })
})

test('a notification of the service opens its own page', async () => {
  const item = { kind: 'k', title: 'Stream ended', text: 'At 12:00', link: '/p/7/analytics?tab=1', date: '' }
  const message = {
    id: 'm',
    channel: 'mobile',
    userId: 1,
    projectId: 7,
    language: 'en',
    email: null,
    chatId: null,
  } as const
  expect(await shownBy(JSON.stringify(payloadOf({ ...message, items: [item] })))).toMatchObject({
    title: 'Stream ended',
    body: 'At 12:00',
    tag: 'm',
    data: { url: `${origin}/p/7/analytics?tab=1` },
  })
  const several = await shownBy(JSON.stringify(payloadOf({ ...message, items: [item, item] })))
  expect(several.data).toEqual({ url: `${origin}/p/7/notifications` })
})

test.each([null, '', 'null', '[]', '7', '"text"', '{"title":{},"text":7,"url":[]}'])(
  'message %j shows a notification',
  async (json) => {
    expect(await shownBy(json)).toMatchObject({ title: 'Relaydeck', body: '', data: { url: `${origin}/` } })
  },
)

test.each(['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example/', 'data:text/html,x'])(
  'address %j opens the start page',
  async (url) => {
    expect(await linkOf(url)).toBe(`${origin}/`)
  },
)

test('a path that begins like a host stays a path', async () => {
  expect(await linkOf('/.//evil.example')).toBe(`${origin}//evil.example`)
})

test.each([
  [['/p/7'], '/p/7'],
  [['/p/7/chat/popout', '/dock/chat', '/p/7/chat'], '/p/7/chat'],
  [['/p/7/chat/popout', '/dock/chat'], 'new'],
  [[], 'new'],
])(
  'a click opens the page of the notification in a tab of the dashboard, not in the chat beside it: %j',
  async (paths, tab) => {
    expect(await clickWith(paths)).toEqual([`${tab} → ${origin}/p/7/billing`])
  },
)
