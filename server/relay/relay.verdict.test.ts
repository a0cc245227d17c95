// The verdict table by a fast clock: streams of ffmpeg with one fault each, then a clean one. `relay-verdict.night.test.ts` runs it in real
// time, with the faults that only decoding shows.
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { RelayEvent } from '#contract/relay/events.ts'
import { plainLink } from './ingest/publication.ts'
import { Live } from './live.ts'
import { FlvReader } from './media/flv.ts'
import { Tracks } from './media/tracks.ts'
import type { Message } from './rtmp/message.ts'
import {
  decodedFaults,
  faultNeeds,
  makeStream,
  streamSeconds,
  type TableFault,
  tableFaults,
  withinS,
} from './testing/faulty-streams.ts'
import { folder, hasPrograms } from './testing/programs.ts'

const inPackets = tableFaults.filter((fault) => !decodedFaults.has(fault))
const dir = folder()
const streams = new Map<TableFault | 'clean', readonly Message[]>()

beforeAll(async () => {
  if (!hasPrograms) return
  for (const name of ['clean', ...inPackets] as const)
    streams.set(name, new FlvReader().read(readFileSync(await makeStream(dir, name))))
}, 120_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))
afterEach(() => void vi.useRealTimers())

const stepMs = 100

/** A project on air, and its faults with the seconds of the stream. */
function onAir() {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const events: RelayEvent[] = []
  const live = new Live(7, {
    dial: { allowPrivateDestinations: true },
    graceMs: 60_000,
    onEvent: (event) => void events.push(event),
    onEnd: () => undefined,
  })
  /** Sends a whole stream at its own pace, then loses the connection. */
  const send = (name: TableFault | 'clean') => {
    const began = Date.now()
    const from = events.length
    const sink = live.begin(
      { end: () => undefined, received: () => 0, link: () => plainLink() },
      { encoder: 'ffmpeg', address: '192.0.2.1' },
    )
    const left = [...(streams.get(name) ?? [])]
    for (let at = 0; at <= streamSeconds * 1_000; at += stepMs) {
      while (left[0] && left[0].timestamp <= at) {
        const message = left.shift()
        if (message) sink.take(message, new Tracks().split(message))
      }
      vi.advanceTimersByTime(stepMs)
      if (at % 1_000 === 0) live.watch(Date.now())
    }
    sink.ended('socket')
    return events
      .slice(from)
      .flatMap((event) =>
        event.type === 'fault' ? [{ kind: event.fault.kind, isOn: event.isOn, after: (event.at - began) / 1_000 }] : [],
      )
  }
  return { live, send }
}

test.skipIf(!hasPrograms).each(inPackets)('%s: warned once in time, and withdrawn in time', (fault) => {
  const { live, send } = onAir()
  const needs = faultNeeds[fault]
  live.update({ destinations: [], ...(needs && { needs }) })
  const faulty = send(fault)
  expect(faulty).toEqual([{ kind: fault, isOn: true, after: expect.any(Number) }])
  expect(faulty[0]?.after).toBeLessThanOrEqual(withinS)
  const clean = send('clean')
  expect(clean).toEqual([{ kind: fault, isOn: false, after: expect.any(Number) }])
  expect(clean[0]?.after).toBeLessThanOrEqual(withinS)
  live.end()
})

test.skipIf(!hasPrograms)('a clean stream is left alone', () => {
  const { live, send } = onAir()
  expect(send('clean')).toEqual([])
  live.end()
})
