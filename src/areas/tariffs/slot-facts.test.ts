import { describe, expect, test } from 'vitest'
import { differenceOf } from './slot-facts.ts'

const free = { id: 1, channel_max: 2, bitrate_max: 10_000, support_custom_channel: false, custom_video: 0 }
const pro = { id: 3, channel_max: 10, bitrate_max: 20_000, support_custom_channel: true, custom_video: 1 }

describe('a fact beside its neighbour', () => {
  test('more, less, the same', () => {
    expect(differenceOf('channel_max', pro, free)).toBe('up')
    expect(differenceOf('channel_max', free, pro)).toBe('down')
    expect(differenceOf('bitrate_max', pro, { ...free, bitrate_max: 20_000 })).toBeNull()
  })
  test('a yes is more than a no', () => {
    expect(differenceOf('support_custom_channel', pro, free)).toBe('up')
    expect(differenceOf('support_custom_channel', free, pro)).toBe('down')
  })
  test('0 is a number like any other', () => {
    expect(differenceOf('custom_video', pro, free)).toBe('up')
    expect(differenceOf('bitrate_max', { ...pro, bitrate_max: 0 }, free)).toBe('down')
  })
  test('what was not reported is not compared', () => {
    expect(differenceOf('channel_max', pro, null)).toBeNull()
    expect(differenceOf('channel_max', pro, undefined)).toBeNull()
    expect(differenceOf('channel_max', pro, { id: 1 })).toBeNull()
    expect(differenceOf('channel_max', { id: 1, channel_max: null }, free)).toBeNull()
  })
})
