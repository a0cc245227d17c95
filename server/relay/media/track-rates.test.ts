// The bitrate that the limit applies to, of encoders with one and with several tracks.
import { expect, test } from 'vitest'
import { TrackRates } from './track-rates.ts'
import type { TrackMessage } from './tracks.ts'

/** Sends ten seconds of tracks, each with its bitrate in kbps. @returns the bitrate for the limit */
function judged(tracks: readonly (readonly [kind: 'audio' | 'video', id: number, kbps: number])[]): number {
  const rates = new TrackRates(0)
  for (let second = 1; second <= 10; second++) {
    for (const [kind, id, kbps] of tracks)
      rates.add({ kind, id, isMain: id === 0, message: { payload: Buffer.alloc(kbps * 125) } } as TrackMessage)
    rates.second(second * 1_000)
  }
  return rates.judged(tracks.reduce((sum, [, , kbps]) => sum + kbps, 0))
}

test('counts the whole stream of an encoder with one track of each kind', () => {
  expect(
    judged([
      ['video', 0, 6_000],
      ['audio', 0, 160],
    ]),
  ).toBe(6_160)
})

test('counts the largest picture with the largest sound of an encoder with several tracks', () => {
  expect(
    judged([
      ['video', 0, 6_000],
      ['video', 1, 4_500],
      ['audio', 0, 128],
      ['audio', 1, 160],
    ]),
  ).toBe(6_160)
})

test('counts a third of the sum where that is more', () => {
  const many = Array.from({ length: 8 }, (_, id) => ['video', id, 3_000] as const)
  expect(judged([...many, ['audio', 0, 160]])).toBe(Math.round(24_160 / 3))
})
