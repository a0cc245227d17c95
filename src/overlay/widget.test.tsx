// Widgets on the real service: they follow the broadcast and their settings, and are empty without a right.
import { afterEach } from 'vitest'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import type { WidgetKind } from '#contract/entities/widget-kinds.ts'
import { someFilm } from '#server/testing/schedules.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { expect, type Service, test } from '#src/testing/page-test.tsx'
import { loadTexts } from './texts.ts'
import { startPreview, startWidget } from './widget.ts'
import { drawBadge } from './widgets/badge.ts'
import { drawCountdown } from './widgets/countdown.ts'
import { drawHealth } from './widgets/health.ts'
import { sample } from './widgets/sample.ts'

let stop = () => {}
afterEach(() => {
  stop()
  document.body.innerHTML = ''
})

const place = () => {
  document.body.innerHTML = '<main id="widget"></main>'
  return document.querySelector<HTMLElement>('#widget')!
}
const text = () => document.querySelector('#widget')?.textContent ?? ''

const open = ({ url }: Service, kind: WidgetKind, { template_id, token }: { template_id: string; token: string }) => {
  const hash = `#${new URLSearchParams({ template_id, token }).toString()}`
  const at = { baseUrl: url, realtimeUrl: `${url.replace('http', 'ws')}/connection/websocket` }
  stop = startWidget(place(), kind, hash, at)
}

test('follows viewers and settings, and is empty off air and after its token was replaced', async ({
  service,
  person,
  api,
}) => {
  const project = { project_id: person.projectId }
  const made = await api(widgets.add, { ...project, kind: 'counter', name: 'Viewers' })
  open(service, 'counter', made)
  const say = (payload: object) =>
    service.services.realtime.publish(
      { type: 'project_live', id: person.projectId },
      { event: 'live-status', payload: payload as OnAir },
    )
  const onAir = sample(Date.now())
  // The page subscribes on its own time.
  await expect
    .poll(
      () => {
        say(onAir)
        return text()
      },
      { timeout: 60_000 },
    )
    .toContain('1300')
  expect(document.querySelectorAll('.channels li')).toHaveLength(3)
  const change = { ...project, template_id: made.template_id, name: 'Viewers', payload: { channels: false, size: 44 } }
  await api(widgets.update, change)
  await expect.poll(() => document.querySelectorAll('.channels li').length).toBe(0)
  // The page may be empty for a moment while it reads its settings again.
  await expect.poll(() => document.querySelector<HTMLElement>('.total')?.style.fontSize).toBe('44px')
  say({ kind: 'inactive', status: 'offline' })
  await expect.poll(text).toBe('')
  say(onAir)
  await expect.poll(text).toContain('1300')
  await api(widgets.token, { ...project, template_id: made.template_id })
  await expect.poll(text).toBe('')
})

test('counts to the next run of a schedule, and follows its changes', async ({ service, person, api }) => {
  const project = { project_id: person.projectId }
  const ids = [await someFilm(service, person.projectId)]
  const made = await api(widgets.add, { ...project, kind: 'countdown', name: 'Soon' })
  open(service, 'countdown', made)
  const start_at = Math.floor(Date.now() / 1000) + 7_000
  const { id } = await api(scheduler.create, { ...project, channel_ids: [], start_at, video: { ids } })
  await expect.poll(text, { timeout: 60_000 }).toMatch(/^1:5\d:\d\d$/)
  await api(scheduler.remove, { ...project, id })
  await expect.poll(text).toBe('')
})

test('reads the state of a running broadcast when it opens', async ({ service, person, api }) => {
  await someNodeOf(service, `node-${person.projectId}`).begin(person.projectId)
  const made = await api(widgets.add, { project_id: person.projectId, kind: 'badge', name: 'Live' })
  open(service, 'badge', made)
  await expect.poll(text, { timeout: 60_000 }).toMatch(/^LIVE\d/)
})

test('shows the settings that the page around a preview sends, and none of another page', async () => {
  stop = startPreview(place(), 'counter')
  await expect.poll(text).toContain('1300')
  const send = (payload: object, origin: string) =>
    dispatchEvent(new MessageEvent('message', { source: parent, origin, data: { type: 'relaydeck:widget', payload } }))
  send({ total: false }, 'https://other.example.com')
  expect(text()).toContain('1300')
  send({ total: false }, location.origin)
  expect(text()).not.toContain('1300')
})

test('draws badge, countdown and health', async () => {
  const now = Date.parse('2026-03-01T10:00:00Z')
  const texts = await loadTexts(['page', 'faults', 'live'], ['en-US'])
  const status = sample(now)
  const root = place()
  drawBadge(root, { settings: { title: 'On now', timer: false }, status, texts, now })
  expect(text()).toBe('On now')
  drawBadge(root, { settings: {}, status, texts, now })
  expect(text()).toBe('LIVE42:00')
  drawBadge(root, { settings: {}, status: { kind: 'inactive', status: 'offline' }, texts, now })
  expect(text()).toBe('')
  const until = new Date(now + 90_000).toISOString()
  drawCountdown(root, { settings: { title: 'Soon', until }, status: null, texts, now })
  expect(text()).toBe('Soon1:30')
  drawCountdown(root, { settings: { until }, status: null, texts, now: now + 90_000 })
  expect(text()).toBe('')
  drawCountdown(root, { settings: { title: 'Next' }, status: null, next: until, texts, now })
  expect(text()).toBe('Next1:30')
  const [first, second] = status.restreams
  const failing: OnAir = {
    ...status,
    verdict: { level: 'problem', reasons: [{ kind: 'black', level: 'problem', value: null, limit: null }] },
    restreams: [
      { ...first!, state: 'live' },
      { ...second!, state: 'rejected', reason: 'publish-rejected', words: '<b>bad key</b>' },
    ],
  }
  drawHealth(root, { settings: {}, status: failing, texts, now })
  expect(text()).toContain('The picture is black')
  expect(text()).toContain('Check the stream key.')
  expect(text()).toContain('Server message: “<b>bad key</b>”.')
  expect([...document.querySelectorAll('.lines .name')].map((one) => one.textContent)).toEqual(['YouTube', 'Twitch'])
  for (const [state, fill, said] of [
    ['lost', 'clip', 'Channels receive your video.'],
    ['lost', 'picture', 'Channels receive your picture.'],
    ['lost', undefined, 'Channels receive the last frame.'],
    ['pause', 'clip', 'Channels receive your video.'],
    ['pause', undefined, 'Channels receive no stream.'],
    ['active', undefined, ''],
  ] as const) {
    drawHealth(root, { settings: {}, status: { ...status, status: state, ...(fill && { fill }) }, texts, now })
    expect(document.querySelector('.fill')?.textContent).toBe(said)
  }
  const scheduled = { ...status, kind: 'scheduler', app: 'scheduler', name: 'Talk' } as const
  drawHealth(root, { settings: {}, status: scheduled, texts, now })
  expect(document.querySelector('.fill')?.textContent).toBe('The schedule is on air: Talk.')
  drawHealth(root, { settings: {}, status: null, texts, now })
  expect(text()).toBe('Connecting…')
})

test('has texts in the language of the browser', async () => {
  expect((await loadTexts(['page'], ['zh-CN', 'en']))('page.offline')).toBe('未开播')
  expect((await loadTexts(['page'], ['ru-RU']))('page.offline')).toBe('Не в эфире')
  expect((await loadTexts(['page'], ['fr', 'de']))('page.offline')).toBe('Off air')
  expect((await loadTexts(['page'], ['en']))('page.toString')).toBeNull()
})
