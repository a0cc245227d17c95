import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browserKinds } from '#contract/entities/browser-ingest.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { BrowserSound } from './browser-sound.ts'

/** Starts of ffmpeg, by its arguments. */
let starts: string[]
let sound: BrowserSound
const programs: Pick<Programs, 'keep'> = {
  keep({ args, attach }) {
    starts.push(args.join(' '))
    const detach = attach({ stdin: new PassThrough().resume(), stdout: new PassThrough(), more: [] })
    return { state: () => expect.unreachable(), stop: async () => detach() }
  },
}
beforeEach(() => {
  starts = []
  vi.useFakeTimers()
  sound = new BrowserSound(programs, () => undefined)
})
afterEach(async () => {
  await sound.stop()
  vi.useRealTimers()
})

const pcm = (rate: number) => ({ format: 'pcm', rate, channels: 1 }) as const
const samples = (time: number) => ({
  kind: browserKinds.pcm,
  isKey: false,
  isHeader: false,
  time,
  payload: Buffer.alloc(480 * 2),
})

test('headers without end start ffmpeg once a second at most, with the newest sound', () => {
  for (let change = 0; change < 1_000; change++) {
    sound.begin(pcm(8_000 + change))
    vi.advanceTimersByTime(5)
  }
  vi.advanceTimersByTime(1_000)
  expect(starts.length).toBeGreaterThan(2)
  expect(starts.length).toBeLessThanOrEqual(6)
  expect(starts.at(-1)).toContain('-ar 8999 ')
  for (let again = 0; again < 10; again++) {
    sound.begin(pcm(8_999))
    vi.advanceTimersByTime(1_000)
  }
  expect(starts.length).toBeLessThanOrEqual(6)
})

test('gaps without end start it as rarely', () => {
  sound.begin(pcm(48_000))
  for (let gap = 0; gap < 1_000; gap++) {
    sound.take(samples(gap * 10_000))
    vi.advanceTimersByTime(5)
  }
  expect(starts.length).toBeGreaterThan(2)
  expect(starts.length).toBeLessThanOrEqual(6)
})
