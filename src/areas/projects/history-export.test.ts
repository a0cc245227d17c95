import i18next, { type ResourceKey } from 'i18next'
import { expect, test } from 'vitest'
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { toCsv, toJson } from './history-export.ts'
import { detailsOf, type Translate } from './history-texts.ts'

const english = import.meta.glob<ResourceKey>('/locales/en/projects.json', { import: 'default', eager: true })
const projects = Object.values(english)[0] ?? {}
const texts = i18next.createInstance()
void texts.init({ lng: 'en', initAsync: false, resources: { en: { projects } }, defaultNS: 'projects' })
const t: Translate = (key, values = {}) => texts.t(key, values)

const row = (details: HistoryItem['details'], name = 'Ann'): HistoryItem => ({
  id: 1,
  action: 'user_project_change',
  project_id: 5,
  user_id: 7,
  group_id: null,
  date: '2026-03-01T10:00:00.000Z',
  user_: { user_id: 7, name, fename: '' },
  details,
})

test.each<[string, HistoryItem['details'], string]>([
  ['user_project_change', { name: 'Vic', from: 0, to: 1 }, 'Vic: Viewer → Editor'],
  ['user_project_invite_add', { access_type: 1, email: 'z…@example.com' }, 'z…@example.com: Editor'],
  ['project_changed', { name: 'New', was: 'Old' }, 'Old → New'],
  ['plan_bought', { plan: 'Pro', period: 'month' }, 'Pro'],
  ['plan_bought', { plan: 'HD', line: 'transcoding' }, 'HD (transcoding)'],
  ['plan_renewal_on', { line: 'storage' }, 'storage'],
  ['project_channel_invite_add', { name: 'Show', project: 'Guests', access_type: 1 }, 'Show (Guests): Can use'],
  ['project_channel_change', { name: 'Show', project: 'Guests', from: 0, to: 1 }, 'Show (Guests): Can view → Can use'],
  ['project_channel_change', { name: 'New', was: 'Old' }, 'Old → New'],
  ['project_channel_change', { name: 'Show', active: true }, 'Show: switched on'],
  ['project_channel_change', { name: 'Show', active: false }, 'Show: switched off'],
  [
    'project_channel_change',
    { name: 'Show', active: false, reason: 'plan_ended' },
    'Show: switched off: not included in the plan',
  ],
  [
    'project_channel_change',
    { name: 'Show', active: false, reason: 'custom_address' },
    'Show: switched off: the plan does not include custom addresses',
  ],
  ['project_channel_change', { name: 'Show', delay_seconds: 20 }, 'Show: delay 20 seconds'],
  ['project_channel_change', { name: 'Show', delay_seconds: 0 }, 'Show: no delay'],
  ['project_channel_change', { name: 'Show', transcoder_id: null }, 'Show: transcoder removed'],
  [
    'project_channel_change',
    { name: 'Show', address: 'rtmp://a.example/live' },
    'Show: new address rtmp://a.example/live',
  ],
  ['project_channel_change', { name: 'Show', settings: ['title'] }, 'Show: broadcast details changed'],
  ['project_channel_change', { name: 'Show', project: 'Guests', handed_over: true }, 'Show (Guests): new owner'],
  ['project_channel_add', { name: 'Show', type: 'twitch', active: true }, 'Show'],
  ['stream_wait', { minutes: 5 }, '5 minutes'],
  [
    'encoder_refused',
    { network: '203.0.113.0/24', reason: 'another_encoder' },
    '203.0.113.0/24: another encoder is on air with this key',
  ],
  ['stream_wait', { minutes: 720 }, '12 hours'],
  ['project_changed', { from: 9, name: 3 }, ''],
  ['project_changed', null, ''],
])('%s with %j reads as “%s”', (action, details, words) => {
  expect(detailsOf({ action, details }, t)).toBe(words)
})

test('quotes CSV cells and escapes formulas for spreadsheets', () => {
  const csv = toCsv([row({ name: 'a "b", c' }), row(null, '=HYPERLINK("http://x")'), row({ name: '-1+1' })], t)
  const lines = csv.split('\r\n')
  expect(csv.startsWith('\uFEFF')).toBe(true)
  expect(lines[1]).toContain('"a ""b"", c"')
  expect(lines[2]).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(lines[3]).toContain(`,'-1+1,`)
  expect(lines).toHaveLength(5)
})

test('writes JSON rows as the service returns them', () => {
  const rows = [row({ name: 'Vic' })]
  expect(JSON.parse(toJson(rows))).toEqual(rows)
})
