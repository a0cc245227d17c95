import { describe, expect, test } from 'vitest'
import { differenceOf } from './slot-facts.ts'

const free = { id: 1, channel_max: 2, bitrate_max: 10_000, support_custom_channel: false, custom_video: 0 }
const pro = { id: 3, channel_max: 10, bitrate_max: 20_000, support_custom_channel: true, custom_video: 1 }

describe('a fact beside its neighbour', () => {
  test('returns more, less or no difference', () => {
    expect(differenceOf('channel_max', pro, free)).toBe('up')
    expect(differenceOf('channel_max', free, pro)).toBe('down')
    expect(differenceOf('bitrate_max', pro, { ...free, bitrate_max: 20_000 })).toBeNull()
  })
  test('ranks yes above no', () => {
    expect(differenceOf('support_custom_channel', pro, free)).toBe('up')
    expect(differenceOf('support_custom_channel', free, pro)).toBe('down')
  })
  test('compares 0 like any other number', () => {
    expect(differenceOf('custom_video', pro, free)).toBe('up')
    expect(differenceOf('bitrate_max', { ...pro, bitrate_max: 0 }, free)).toBe('down')
  })
  test('returns no difference for missing values', () => {
    expect(differenceOf('channel_max', pro, null)).toBeNull()
    expect(differenceOf('channel_max', pro, undefined)).toBeNull()
    expect(differenceOf('channel_max', pro, { id: 1 })).toBeNull()
    expect(differenceOf('channel_max', { id: 1, channel_max: null }, free)).toBeNull()
  })
})
