// Prices of periods, and settings of flexible plans.
import { expect, test } from 'vitest'
import { configure, monthlyPrice, type Plan, pricesOf, smallest } from './catalog-rules.ts'

const fixed: Plan = {
  id: 2,
  title: 'Start',
  type: 'paid_fix',
  active: true,
  index: 20,
  customChannels: false,
  customVideo: 0,
  channels: { min: null, max: 5, step: null },
  bitrate: { min: null, max: 12_000, step: null },
  prices: { rub: { base: 39_000, channelStep: 0, bitrateStep: 0 }, usd: null },
}
const flexible: Plan = {
  ...fixed,
  id: 5,
  type: 'paid_flex',
  channels: { min: 10, max: 100, step: 5 },
  bitrate: { min: 10_000, max: 50_000, step: 10_000 },
  prices: { rub: { base: 100_000, channelStep: 20_000, bitrateStep: 15_000 }, usd: null },
}

test('takes the discount of each period off its months', () => {
  const discounts = { month: 0, quarter: 5, year: 10 }
  expect(pricesOf(39_000, discounts)).toEqual({ month: 39_000, quarter: 111_150, year: 421_200 })
})

test('rounds the discounted price half up to the minor unit', () => {
  expect(pricesOf(5, { month: 10, quarter: 50, year: 12.5 })).toEqual({ month: 5, quarter: 8, year: 53 })
})

test.each([
  ['a fixed plan', fixed, { channels: 5, bitrate: 12_000 }, 39_000],
  ['a fixed plan as it was sold once', fixed, { channels: 4, bitrate: 9_000 }, 39_000],
  ['the smallest flexible', flexible, { channels: 10, bitrate: 10_000 }, 100_000],
  ['more channels', flexible, { channels: 20, bitrate: 10_000 }, 140_000],
  ['more channels and bitrate', flexible, { channels: 20, bitrate: 50_000 }, 200_000],
])('a month of %s', (_, plan, setting, price) => {
  expect(monthlyPrice(plan, setting, 'rub')).toBe(price)
  expect(monthlyPrice(plan, setting, 'usd')).toBeNull()
})

const free = { planId: 1, channels: 2, bitrate: 10_000, customChannels: false, customVideo: 0 }
const running = { ...smallest(flexible), channels: 25, bitrate: 30_000 }

test.each([
  ['a fixed plan as it is', fixed, {}, free, { setting: { channels: 5, bitrate: 12_000 } }],
  [
    'a fixed plan by its own figures',
    fixed,
    { channels: 5, bitrate: 12_000 },
    free,
    { setting: { channels: 5, bitrate: 12_000 } },
  ],
  ['a fixed plan with other channels', fixed, { channels: 6 }, free, { wrong: 'channels' }],
  ['a flexible plan without a choice', flexible, {}, free, { setting: { channels: 10, bitrate: 10_000 } }],
  ['the running flexible plan without a choice', flexible, {}, running, { setting: { channels: 25, bitrate: 30_000 } }],
  [
    'the running flexible plan with more channels',
    flexible,
    { channels: 30 },
    running,
    { setting: { channels: 30, bitrate: 30_000 } },
  ],
  [
    'a running setting that is no longer offered',
    flexible,
    {},
    { ...running, channels: 7 },
    { setting: { channels: 10, bitrate: 10_000 } },
  ],
  ['the largest', flexible, { channels: 100, bitrate: 50_000 }, free, { setting: { channels: 100, bitrate: 50_000 } }],
  ['too few channels', flexible, { channels: 5 }, free, { wrong: 'channels' }],
  ['too many channels', flexible, { channels: 105 }, free, { wrong: 'channels' }],
  ['channels between two steps', flexible, { channels: 12 }, free, { wrong: 'channels' }],
  ['a bitrate between two steps', flexible, { bitrate: 10_001 }, free, { wrong: 'bitrate' }],
])('choosing %s', (_, plan, wanted, now, expected) => {
  expect(configure(plan, wanted, now)).toMatchObject(expected)
})
