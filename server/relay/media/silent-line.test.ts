// Silence behind a stream, by a fake clock: sound that is missing, begins, vanishes and returns.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#server/relay/rtmp/message.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { Hub } from './hub.ts'
import type { Packet } from './packet.ts'
import { SilentLine, SilentLines } from './silent-line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A payload of sound that is none of the line's. */
const isReal = ({ payload }: Packet) => payload.equals(audio(0).payload)

function begin() {
  const input = new Hub()
  const changes: string[] = []
  const line = new SilentLine(input, () => changes.push(line.hub === input ? 'as it is' : 'silence'))
  const got: Packet[] = []
  let at = 0
  const push = (...messages: Message[]) => input.push(messages, Date.now())
  /** Sends pictures, 25 a second, with or without sound. */
  const send = (seconds: number, hasSound: boolean) => {
    for (let frame = 0; frame < seconds * 25; frame++) {
      push(at % 1000 === 0 ? keyframe(at) : interframe(at))
      if (hasSound) push(audio(at))
      at += 40
      vi.advanceTimersByTime(40)
    }
  }
  /** Records what channels receive from now on. */
  const follow = () => line.hub.attach({ take: (packet) => void got.push(packet) })
  const sounds = () => got.filter(({ kind, role }) => kind === 'audio' && role === 'frame')
  return { input, line, changes, got, push, send, follow, sounds }
}

const steps = (packets: readonly Packet[]) =>
  packets.slice(1).map(({ timestamp }, index) => timestamp - (packets[index]?.timestamp ?? 0))

test('a stream with sound is forwarded as it is, from its first header', () => {
  const { input, line, changes, push, send } = begin()
  push(avcHeader(), aacHeader())
  expect(line.isKnown).toBe(false)
  send(1, true)
  expect(changes).toEqual(['as it is'])
  send(60, true)
  expect(line.hub).toBe(input)
  expect(changes).toHaveLength(1)
})

test('a stream without sound gets silence after three seconds, from its last keyframe on and without a gap', () => {
  const { line, changes, push, send, follow, sounds, got } = begin()
  push(avcHeader())
  send(2.9, false)
  expect(changes).toEqual([])
  send(0.2, false)
  expect(changes).toEqual(['silence'])
  expect(line.hub.tracks()).toEqual({ audio: true, video: true })
  expect(line.hub.header('audio')?.payload).toEqual(aacHeader().payload)
  expect(line.hub.group()[0]).toMatchObject({ role: 'key', timestamp: 3_000 })
  follow()
  send(3, false)
  expect(sounds().length).toBeGreaterThan(135)
  expect(Math.max(...steps(sounds()))).toBeLessThanOrEqual(22)
  expect(Math.abs((sounds().at(-1)?.timestamp ?? 0) - (got.at(-1)?.timestamp ?? 0))).toBeLessThan(25)
})

test('sound that begins later replaces the silence in the same stream, in the form of the encoder, without an overlap', () => {
  const { line, changes, push, send, follow, sounds } = begin()
  push(avcHeader())
  send(5, false)
  follow()
  const mono = { ...aacHeader(5_000), payload: Buffer.from([0xaf, 0, 0x11, 0x88]) }
  push(mono)
  send(2, true)
  expect(changes).toEqual(['silence'])
  expect(line.hub.header('audio')?.payload).toEqual(mono.payload)
  // One frame of silence is due before the first sound.
  expect(sounds().filter((packet) => !isReal(packet)).length).toBeLessThanOrEqual(2)
  expect(sounds().length).toBeGreaterThan(45)
  expect(steps(sounds()).every((step) => step > 0)).toBe(true)
  // It vanishes again: silence in the same form, three seconds later.
  send(5, false)
  expect(changes).toEqual(['silence'])
  const silent = sounds().filter((packet) => !isReal(packet))
  expect(silent.length).toBeGreaterThan(80)
  expect(line.hub.header('audio')?.payload).toEqual(mono.payload)
  expect(steps(sounds()).every((step) => step >= 0)).toBe(true)
})

test('sound in another form than AAC-LC gets a header of its own for the silence, and its own again', () => {
  const { line, push, send } = begin()
  push(avcHeader())
  send(4, false)
  const he = { ...aacHeader(4_000), payload: Buffer.from([0xaf, 0, 0x2b, 0x92]) }
  push(he)
  send(1, true)
  expect(line.hub.header('audio')?.payload).toEqual(he.payload)
  send(4, false)
  expect(line.hub.header('audio')?.payload).toEqual(aacHeader().payload)
  send(1, true)
  expect(line.hub.header('audio')?.payload).toEqual(he.payload)
})

test('sound that vanishes for ten seconds is replaced once', () => {
  const { changes, push, send } = begin()
  push(avcHeader(), aacHeader())
  send(5, true)
  send(9, false)
  expect(changes).toEqual(['as it is'])
  send(2, false)
  send(5, true)
  send(20, false)
  expect(changes).toEqual(['as it is', 'silence'])
})

test('a pause without pictures does not count as missing sound', () => {
  const { changes, push, send } = begin()
  push(avcHeader())
  send(1, false)
  vi.advanceTimersByTime(600_000)
  send(0.5, false)
  send(1, true)
  expect(changes).toEqual(['as it is'])
})

test('destinations of one stream share a line, which ends with the last of them', () => {
  const input = new Hub()
  const changed: (readonly number[])[] = []
  const lines = new SilentLines((ids) => void changed.push(ids))
  expect(lines.behind(input, 1)).toBe(lines.behind(input, 2))
  expect(lines.isAwaited(1)).toBe(true)
  expect(lines.isAwaited(3)).toBe(false)
  lines.remove(1)
  lines.sweep()
  input.push([avcHeader(), aacHeader(), keyframe(0), audio(0)], Date.now())
  expect(changed).toEqual([[2]])
  lines.remove(2)
  lines.sweep()
  expect(lines.behind(input, 2).isKnown).toBe(true)
})
