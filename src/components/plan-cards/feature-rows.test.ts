import { expect, test } from 'vitest'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import { featureRows, inOrder } from './feature-rows.ts'

const offer = (plan_restream_id: number, index: number, feature: RestreamOffer['feature']): RestreamOffer => ({
  plan_restream_id,
  title: `Plan ${plan_restream_id}`,
  active: true,
  type: 'paid_fix',
  count_channel_max: 5,
  index,
  price: { month: 0, year: 0 },
  status: 'upgrade',
  feature,
  support_custom_channel: false,
  custom_video: 0,
  own_tariff: {},
})

test('sorts plans in catalogue order', () => {
  expect(inOrder([offer(3, 30, []), offer(9, 10, []), offer(2, 10, [])]).map((one) => one.plan_restream_id)).toEqual([
    2, 9, 3,
  ])
})

test('sorts features by index, and leaves the cell of a missing feature undefined', () => {
  const chat = { name: 'chat', type: 'boolean', value: true, index: 2 } as const
  const space = { name: 'video_storage', type: 'number', value: 10, index: 1, unit: 'GB' } as const
  const rows = featureRows([offer(1, 1, [chat]), offer(2, 2, [space, { ...chat, value: false }])])
  expect(rows.map(({ name }) => name)).toEqual([
    'count_channel_max',
    'bitrate_max',
    'video_storage',
    'chat',
    'support_custom_channel',
  ])
  expect(rows[2]?.cells).toEqual([
    { name: 'video_storage', unit: 'GB', value: undefined },
    { name: 'video_storage', unit: 'GB', value: 10 },
  ])
  expect(rows[3]?.cells.map(({ value }) => value)).toEqual([true, false])
})

test('shows features with their own offer fields once, even when the feature list repeats them', () => {
  const repeated = { name: 'count_channel_max', type: 'number', value: 99, index: 1 } as const
  const channels = featureRows([offer(1, 1, [repeated])]).filter(({ name }) => name === 'count_channel_max')
  expect(channels.map(({ cells }) => cells[0]?.value)).toEqual([5])
})
