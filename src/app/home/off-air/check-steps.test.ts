import { expect, test } from 'vitest'
import type { Channel } from '#contract/entities/channel.ts'
import { channelsStep, encoderStep } from './check-steps.ts'

const channel = (result: Channel['test'], ingress_url: string | null = 'rtmp://a.example/live') =>
  ({
    active: true,
    type: 'custom',
    status: 'offline',
    tokens: { account: { status: 'unused' }, group: { status: 'unused' } },
    ingress_url,
    test: result,
  }) as Channel
const tested = (reason: string) => channel({ reason, date: '2026-11-22T10:00:00.000Z' })

test('keeps address and key apart, and does not take copying as evidence', () => {
  expect(encoderStep(false, [])).toBe('open')
  expect(encoderStep(false, ['key'])).toBe('key')
  expect(encoderStep(false, ['address'])).toBe('address')
  expect(encoderStep(false, ['key', 'address'])).toBe('both')
  expect(encoderStep(true, [])).toBe('done')
  expect(encoderStep(undefined, ['key'])).toBeUndefined()
})

test('marks channels as ready when all of them passed their test', () => {
  expect(channelsStep([], 0).state).toBe('open')
  expect(channelsStep([channel(null)], 1)).toEqual({ state: 'untested', values: { count: 1 } })
  expect(channelsStep([tested('ok'), channel(null), tested('refused')], 3)).toEqual({
    state: 'failed',
    values: { count: 1 },
  })
  expect(channelsStep([tested('ok'), channel(null, null)], 2)).toEqual({ state: 'done', values: { count: 2 } })
})
