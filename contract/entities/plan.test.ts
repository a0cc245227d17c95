// Reads tariff responses: lenient where the brief leaves a field open, strict where it defines one.
import { expect, test } from 'vitest'
import { RestreamSlots } from './plan.ts'

const slot = {
  id: 7,
  channel_max: 5,
  bitrate_max: 20000,
  support_custom_channel: true,
  custom_video: 0,
  date_end: '2026-12-01T00:00:00.000Z',
}

test('reads three complete slots unchanged', () => {
  expect(RestreamSlots.parse({ before: slot, current: slot, next: slot })).toEqual({
    before: slot,
    current: slot,
    next: slot,
  })
})

test.each([
  ['no slot at all', {}],
  ['slots that are null', { before: null, current: null, next: null }],
  ['a slot with nothing in it', { current: {} }],
  ['fields that are null', { current: { id: 1, channel_max: null, date_end: null } }],
  ['zeroes', { current: { ...slot, channel_max: 0, bitrate_max: 0, custom_video: 0 } }],
  ['a next slot that only knows its start', { next: { id: 2, date_start: '2026-12-01T00:00:00Z' } }],
])('accepts %s', (_, answer) => {
  expect(RestreamSlots.parse(answer)).toEqual(answer)
})

test('drops unknown fields', () => {
  expect(RestreamSlots.parse({ current: { ...slot, disconnect_protection_max_minutes: 720 }, extra: 1 })).toEqual({
    current: slot,
  })
})

test.each([
  ['a count that is no number', { current: { ...slot, channel_max: 'two' } }, ['current', 'channel_max']],
  ['an id that is no integer', { before: { ...slot, id: 1.5 } }, ['before', 'id']],
  ['a flag that is a number', { next: { ...slot, support_custom_channel: 1 } }, ['next', 'support_custom_channel']],
  ['a date that is none', { current: { ...slot, date_end: 'soon' } }, ['current', 'date_end']],
  ['a list instead of a slot', { current: [] }, ['current']],
])('refuses %s with the path of the field', (_, answer, path) => {
  const result = RestreamSlots.safeParse(answer)
  expect(result.error?.issues.map((issue) => issue.path)).toEqual([path])
})
