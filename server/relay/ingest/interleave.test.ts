// Messages of two tracks that arrive at different times leave in order.
import { expect, test } from 'vitest'
import type { Message } from '#server/relay/rtmp/message.ts'
import { aacHeader, audio, avcHeader, interframe } from '#server/relay/testing/frames.ts'
import { Interleave } from './interleave.ts'

/** Pushes messages. @returns the released ones, as their type and time */
function released(messages: readonly Message[], hasSound = true): string[] {
  const out: string[] = []
  const interleave = new Interleave({ firstMs: 3_000, waitMs: 700 }, ({ type, timestamp, payload }) =>
    out.push(`${type === 9 ? 'video' : 'audio'}${payload[1] === 0 ? ' header' : ''} ${timestamp}`),
  )
  if (hasSound) interleave.begin()
  for (const message of messages) interleave.push(message)
  return out
}

test('without sound everything leaves at once', () => {
  expect(released([avcHeader(), interframe(0), interframe(40)], false)).toEqual([
    'video header 0',
    'video 0',
    'video 40',
  ])
})

test('a picture waits for the sound up to its time', () => {
  const early = [avcHeader(), interframe(0), interframe(40), interframe(80)]
  expect(released([...early, aacHeader(0)])).toEqual([])
  expect(released([...early, aacHeader(0), audio(10), audio(50)])).toEqual([
    'video header 0',
    'video 0',
    'audio header 0',
    'audio 10',
    'video 40',
    'audio 50',
  ])
})

test('a picture waits no longer than three seconds for the first sound', () => {
  const frames = Array.from({ length: 101 }, (_, at) => interframe(at * 40))
  expect(released(frames).at(-1)).toBe('video 1000')
})

test('sound that stalls holds the picture for 700 ms, and late sound leaves', () => {
  const frames = Array.from({ length: 101 }, (_, at) => interframe(at * 40))
  const out = released([audio(0), ...frames, audio(500)])
  expect(out.filter((one) => one.startsWith('video')).at(-1)).toBe('video 3280')
  expect(out.at(-1)).toBe('audio 500')
})

test('messages of one moment do not pile up', () => {
  const same = Array.from({ length: 5_000 }, () => interframe(0))
  expect(released(same)).toHaveLength(4_400)
})
