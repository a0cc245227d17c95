import { describe, expect, test } from 'vitest'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import { rangeOf, readChoice, settingsOf, snap, writeChoice } from './choice.ts'

const flexible: RestreamOffer = {
  plan_restream_id: 5,
  title: 'Flexible',
  active: true,
  type: 'paid_flex',
  count_channel_min: 10,
  count_channel_max: 100,
  count_channel_step: 5,
  bitrate_min: 10_000,
  bitrate_max: 60_000,
  bitrate_step: 2_000,
  index: 50,
  price: { month: 1_590, year: 17_172 },
  status: 'upgrade',
  feature: [],
  support_custom_channel: true,
  custom_video: 1,
  own_tariff: {},
}
const nothing = readChoice(new URLSearchParams())

describe('in the URL', () => {
  test('reads a written choice', () => {
    const choice = { period: 'year', planId: 5, channels: 20, bitrate: 16_000, units: 3, code: 'FALL' } as const
    expect(readChoice(writeChoice(new URLSearchParams('tab=x'), choice))).toEqual(choice)
    expect(writeChoice(new URLSearchParams('tab=x'), choice).get('tab')).toBe('x')
  })
  test('omits defaults from the URL', () => {
    expect(writeChoice(new URLSearchParams('plan=5&period=year'), nothing).toString()).toBe('')
  })
  test.each(['plan=abc', 'plan=-1', 'plan=1.5', 'plan=', 'period=day', 'channels=1e99', 'plan=__proto__'])(
    'ignores the invalid query %s',
    (text) => {
      expect(readChoice(new URLSearchParams(text))).toEqual(nothing)
    },
  )
})

describe('settings of a flexible plan', () => {
  test('defaults to the minimum', () => {
    expect(settingsOf(flexible, nothing, null)).toEqual({ channels: 10, bitrate: 10_000 })
  })
  test('defaults to the running settings of the running plan', () => {
    const running = { id: 5, channel_max: 35, bitrate_max: 20_000 }
    expect(settingsOf(flexible, nothing, running)).toEqual({ channels: 35, bitrate: 20_000 })
    expect(settingsOf(flexible, nothing, { ...running, id: 3 })).toEqual({ channels: 10, bitrate: 10_000 })
  })
  test('snaps to the nearest step within the limits', () => {
    expect(settingsOf(flexible, { ...nothing, planId: 5, channels: 23, bitrate: 999_999 }, null)).toEqual({
      channels: 25,
      bitrate: 60_000,
    })
  })
  test('keeps the settings while another plan is viewed', () => {
    expect(settingsOf(flexible, { ...nothing, planId: 3, channels: 25 }, null).channels).toBe(25)
  })
  test('returns none for a fixed plan', () => {
    expect(rangeOf({ ...flexible, type: 'paid_fix' }, 'channels')).toBeNull()
    expect(settingsOf({ ...flexible, type: 'paid_fix' }, { ...nothing, planId: 5, channels: 20 }, null)).toEqual({})
  })
})

test('snaps below a maximum that is not a multiple of the step', () => {
  expect(snap(100, { min: 10, max: 100, step: 40 })).toBe(90)
  expect(snap(-5, { min: 10, max: 100, step: 40 })).toBe(10)
})
