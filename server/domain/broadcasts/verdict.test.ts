// The verdict on a broadcast: thresholds and hysteresis of the faults of its stream, and the order of reasons.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InputFault } from '#contract/entities/on-air.ts'
import {
  type Averages,
  type BroadcastFacts,
  commonNeeds,
  faultsOf,
  type FaultStates,
  type InputMeasures,
  judgeInput,
  leastBitrate,
  noFaults,
  verdictOf,
} from './verdict.ts'

const averages: Averages = { kbps: 4_160, fps: 30, videoKbps: 4_000, audioKbps: 160, stepMs: 34 }
const clean: InputMeasures = {
  steady: averages,
  gopMs: 2_000,
  keyAgeMs: 1_000,
  width: 1920,
  height: 1080,
  frameRate: 30,
  videoCodec: 'avc1',
  black: 0,
  silent: 0,
}
const steady = (changes: Partial<Averages>): InputMeasures => ({ ...clean, steady: { ...averages, ...changes } })
const strict = { gopMs: 2_500, audioKbps: 64 }

/** Judges seconds of a stream. @returns the kinds that began (`+`) and were over (`-`), with their second */
function judge(seconds: readonly InputMeasures[], needs = commonNeeds) {
  let states: FaultStates = noFaults
  const log: string[] = []
  for (const [second, measures] of seconds.entries()) {
    const judged = judgeInput(states, measures, { needs, now: second * 1000 })
    states = judged.states
    for (const { fault, isOn } of judged.changed) log.push(`${isOn ? '+' : '-'}${fault.kind}@${second}`)
  }
  return { log, kinds: faultsOf(states).map(({ kind }) => kind), faults: faultsOf(states) }
}

const seconds = (count: number, measures: InputMeasures) => Array.from({ length: count }, () => measures)
const kinds = (measures: InputMeasures, needs = commonNeeds) => judge(seconds(15, measures), needs).kinds

test.each<[string, InputMeasures, readonly InputFault[]]>([
  ['a clean stream', clean, []],
  ['no video', steady({ videoKbps: 0, fps: 0 }), ['no_video']],
  ['no sound', steady({ audioKbps: 0 }), ['no_audio']],
  ['two black stills', { ...clean, black: 2 }, []],
  ['three black stills', { ...clean, black: 3 }, ['black']],
  ['a black picture, which needs no bitrate', { ...steady({ videoKbps: 20 }), black: 3 }, ['black']],
  ['three silent seconds', { ...clean, silent: 3 }, ['silent']],
  ['keyframes each 4 s', { ...clean, gopMs: 4_000 }, []],
  ['keyframes each 4.1 s', { ...clean, gopMs: 4_100 }, ['keyframes']],
  ['a first group that is longer than 4 s', { ...clean, gopMs: null, keyAgeMs: 4_500 }, ['keyframes']],
  ['1,999 kbps of 1080p', steady({ videoKbps: 1_999 }), ['bitrate_low']],
  ['2,000 kbps of 1080p', steady({ videoKbps: 2_000 }), []],
  ['19 frames a second', steady({ fps: 19, stepMs: 53 }), ['fps_low']],
  ['24 frames a second of 24', { ...steady({ fps: 24, stepMs: 42 }), frameRate: 24 }, []],
  ['40 frames a second of 60', { ...steady({ fps: 40 }), frameRate: 60 }, ['fps_low']],
  ['steps of four frames', steady({ stepMs: 134 }), ['fps_uneven']],
  ['steps of three frames', steady({ stepMs: 100 }), []],
  ['sound of 32 kbps', steady({ audioKbps: 32 }), []],
])('judges %s', (_, measures, expected) => expect(kinds(measures)).toEqual(expected))

test.each<[string, InputMeasures, readonly InputFault[]]>([
  ['keyframes each 2.5 s', { ...clean, gopMs: 2_500 }, []],
  ['keyframes each 2.6 s', { ...clean, gopMs: 2_600 }, ['keyframes']],
  ['sound of 63 kbps', steady({ audioKbps: 63 }), ['audio_low']],
  ['sound of 64 kbps', steady({ audioKbps: 64 }), []],
  ['silence, which needs no bitrate', { ...steady({ audioKbps: 2 }), silent: 3 }, ['silent']],
])('judges %s by the needs of the platforms', (_, measures, expected) =>
  expect(kinds(measures, strict)).toEqual(expected),
)

test('needs more bitrate for more pixels and frames, and less with a newer codec', () => {
  const of = (height: number, fps: number, videoCodec = 'avc1') =>
    leastBitrate({ width: Math.round((height * 16) / 9), height, videoCodec }, fps)
  expect([240, 360, 480, 720, 1080, 1440, 2160].map((lines) => of(lines, 30))).toEqual([
    0, 300, 500, 1_000, 2_000, 4_000, 8_000,
  ])
  expect([of(1080, 60), of(1080, 30, 'hvc1')]).toEqual([3_000, 1_200])
  expect(leastBitrate({ width: 1080, height: 1920, videoCodec: 'avc1' }, 30)).toBe(2_000)
})

test('a fault begins within 15 s of the stream and is over within 15 s of its end, once each', () => {
  const unknown = { ...clean, steady: null, gopMs: null, keyAgeMs: 0 }
  for (const bad of [steady({ videoKbps: 0, fps: 0 }), steady({ fps: 10, stepMs: 100 }), { ...clean, gopMs: 10_000 }]) {
    const { log } = judge([...seconds(3, unknown), ...seconds(12, bad), ...seconds(3, unknown), ...seconds(12, clean)])
    expect(log).toHaveLength(2)
  }
})

test('a value between the limits changes nothing', () => {
  const between = steady({ videoKbps: 2_050 })
  expect(judge([...seconds(10, steady({ videoKbps: 1_900 })), ...seconds(20, between)]).kinds).toEqual(['bitrate_low'])
  expect(judge(seconds(20, between)).kinds).toEqual([])
})

test('shorter disturbances are no fault, and shorter recoveries do not end one', () => {
  const slow = steady({ fps: 10, stepMs: 100 })
  const flicker = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? clean : slow))
  expect(judge(flicker).log).toEqual([])
  expect(judge([...seconds(10, slow), ...flicker]).log).toEqual(['+fps_low@5'])
})

const some = fc.constantFrom(
  clean,
  steady({ fps: 10, stepMs: 100 }),
  steady({ videoKbps: 0, fps: 0 }),
  steady({ audioKbps: 0 }),
  { ...clean, steady: null },
  { ...clean, black: 3 },
  { ...clean, gopMs: 9_000 },
)
test('changes of a fault alternate, and at least five seconds of the contrary lie between', () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 120 }), (stream) => {
      const last = new Map<string, { readonly sign: string; readonly at: number }>()
      for (const entry of judge(stream).log) {
        const [, sign = '', kind = '', at = ''] = /^([+-])(\w+)@(\d+)$/.exec(entry) ?? []
        expect(sign).toBe(last.get(kind)?.sign === '+' ? '-' : '+')
        if (sign === '-' && kind !== 'black') expect(Number(at) - (last.get(kind)?.at ?? 0)).toBeGreaterThanOrEqual(5)
        last.set(kind, { sign, at: Number(at) })
      }
    }),
  )
})

test('a clock that was set back begins the wait anew', () => {
  const slow = steady({ fps: 10, stepMs: 100 })
  const first = judgeInput(noFaults, slow, { now: 1_000_000 })
  const back = judgeInput(first.states, slow, { now: 0 })
  expect(faultsOf(judgeInput(back.states, slow, { now: 4_000 }).states)).toEqual([])
  expect(faultsOf(judgeInput(back.states, slow, { now: 5_000 }).states)).toEqual([
    { kind: 'fps_low', value: 10, limit: 24 },
  ])
})

const live: BroadcastFacts = {
  status: 'active',
  isHeld: false,
  isMeasured: true,
  bitrate: 'fine',
  bitrateFigures: { value: null, limit: null },
  faults: [],
  channels: [{ state: 'live', attempt: 0 }],
}
const fault = (kind: InputFault) => ({ kind, value: null, limit: null })
const verdict = (facts: Partial<BroadcastFacts>) => {
  const { level, reasons } = verdictOf({ ...live, ...facts })
  return [level, ...reasons.map(({ kind }) => kind)]
}

test.each<[readonly string[], Partial<BroadcastFacts>]>([
  [['good'], {}],
  [['good'], { channels: [] }],
  [['good'], { channels: [{ state: 'connecting', attempt: 0 }] }],
  [['warning', 'keyframes'], { faults: [fault('keyframes')] }],
  [['problem', 'silent', 'keyframes'], { faults: [fault('silent'), fault('keyframes')] }],
  [['problem', 'black', 'bitrate_high'], { bitrate: 'high', faults: [fault('black')] }],
  [['problem', 'lost'], { status: 'lost', faults: [fault('keyframes')] }],
  [['warning', 'held'], { status: 'lost', isHeld: true }],
  [['problem', 'bitrate_refused'], { status: 'lost', bitrate: 'refused' }],
  [['problem', 'channels_down'], { channels: [{ state: 'connecting', attempt: 2 }] }],
  [['warning', 'channels_some'], { channels: [...live.channels, { state: 'rejected', attempt: 1 }] }],
  [['warning', 'channels_some'], { channels: [{ state: 'degraded', attempt: 0 }] }],
  [['warning', 'channels_some'], { channels: [...live.channels, { state: 'idle', reason: 'track', attempt: 0 }] }],
  [['good'], { channels: [...live.channels, { state: 'idle', reason: 'delay', attempt: 0 }] }],
  [['unknown'], { isMeasured: false }],
  [['unknown'], { isMeasured: false, channels: [{ state: 'idle', reason: 'track', attempt: 0 }] }],
  [['problem', 'no_video'], { isMeasured: false, faults: [fault('no_video')] }],
  [['good'], { status: 'pause', channels: [{ state: 'backoff', attempt: 1 }] }],
])('is %j', (expected, facts) => expect(verdict(facts)).toEqual(expected))

test('names how many channels have a problem', () => {
  const channels = [...live.channels, { state: 'backoff', attempt: 1 }, { state: 'degraded', attempt: 0 }] as const
  expect(verdictOf({ ...live, channels }).reasons).toEqual([
    { kind: 'channels_some', level: 'warning', value: 2, limit: 3 },
  ])
})
