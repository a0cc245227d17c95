// The one verdict on a broadcast: faults of the incoming stream, judged at its node each second, and the verdict of all reasons.
import {
  type InputFault,
  inputFaults,
  type OnAir,
  type RestreamState,
  type Verdict,
  type VerdictKind,
} from '#contract/entities/on-air.ts'
import type { InputNeeds } from '#contract/relay/desired-state.ts'
import type { BitrateState } from '#contract/relay/reports.ts'

/** Averages of an incoming stream over the last seconds with media. */
export interface Averages {
  readonly kbps: number
  /** Video frames a second. */
  readonly fps: number
  readonly videoKbps: number
  readonly audioKbps: number
  /** Longest distance of two frames, milliseconds. */
  readonly stepMs: number
}

/** Measures of an incoming stream. */
export interface InputMeasures {
  /** Null while unknown: the encoder has just begun. */
  readonly steady: Averages | null
  /** Distance of the last two keyframes, milliseconds; null before the second. */
  readonly gopMs: number | null
  /** Length of the stream since the last keyframe, milliseconds. */
  readonly keyAgeMs: number
  /** Pixels; 0 if unknown. */
  readonly width: number
  readonly height: number
  /** Frames a second that the stream claims; 0 if unknown. */
  readonly frameRate: number
  readonly videoCodec: string
  /** Decoded stills in a row that were black, and seconds of sound in a row that were silent. */
  readonly black: number
  readonly silent: number
}

/** A fault with its measured value and limit: seconds for `keyframes`, kbps, or frames a second; null without figures. */
export interface Fault {
  readonly kind: InputFault
  readonly value: number | null
  readonly limit: number | null
}

/** Needs of a broadcast without a channel that needs more. */
export const commonNeeds: InputNeeds = { gopMs: 4_000, audioKbps: 0 }

/** Time that a fault lasts before it counts, milliseconds. */
const onAfterMs: Readonly<Record<InputFault, number>> = {
  no_video: 3_000,
  no_audio: 3_000,
  // Stills are counted already.
  black: 0,
  silent: 0,
  keyframes: 2_000,
  bitrate_low: 5_000,
  fps_low: 5_000,
  fps_uneven: 8_000,
  audio_low: 5_000,
}
/** Time without the fault before it is over, milliseconds. */
const offAfterMs = 5_000
/** Stills in a row that make a fault. */
export const stillsMin = 3
/** Below it movement is not smooth, frames a second: films have 24. */
const fpsMin = 20
const fpsShare = 0.8
/** A step above so many frames is uneven. */
const stepFrames = 3
/** A value leaves its fault at the limit and this share of it. */
const margin = 0.05

/** Least bitrate of the video by the shorter side of the picture in pixels: H.264 at 30 frames a second, kbps. */
const bitrates = [
  [2160, 8_000],
  [1440, 4_000],
  [1080, 2_000],
  [720, 1_000],
  [480, 500],
  [360, 300],
] as const
/** Frames a second above which a picture needs half as much again. */
const fastFps = 45
/** Codecs that need less than H.264. */
const efficient: ReadonlySet<string> = new Set(['hvc1', 'av01', 'vp09'])

/** Returns the least bitrate of the video of a picture, kbps; 0 where any is enough. */
export function leastBitrate(
  { width, height, videoCodec }: Pick<InputMeasures, 'width' | 'height' | 'videoCodec'>,
  fps: number,
) {
  const least = bitrates.find(([lines]) => Math.min(width, height) >= lines)?.[1] ?? 0
  return Math.round(least * (fps > fastFps ? 1.5 : 1) * (efficient.has(videoCodec.trim()) ? 0.6 : 1))
}

/** `bad` and `fine` change a fault when they last; `unknown` and values between the limits leave it. */
interface Check {
  readonly is: 'bad' | 'fine' | 'unknown'
  readonly value?: number
  readonly limit?: number
}

const fine: Check = { is: 'fine' }
const when = (isBad: boolean): Check => ({ is: isBad ? 'bad' : 'fine' })
const atLeast = (value: number, limit: number): Check => ({
  is: value < limit ? 'bad' : value >= limit * (1 + margin) ? 'fine' : 'unknown',
  value,
  limit,
})

/** Checks a stream now. A fault that follows from another one is no fault of its own. */
function checks(measures: InputMeasures, needs: InputNeeds): Readonly<Record<InputFault, Check>> | null {
  const { steady, frameRate, black, silent } = measures
  if (!steady) return null
  const [hasVideo, hasAudio] = [steady.videoKbps > 0, steady.audioKbps > 0]
  const ofVideo = (check: () => Check) => (hasVideo ? check() : fine)
  const fpsLimit = Math.max(fpsMin, Math.round(frameRate * fpsShare))
  const isSlow = steady.fps < fpsLimit
  const frameMs = 1000 / (frameRate || Math.max(1, steady.fps))
  return {
    no_video: when(!hasVideo),
    no_audio: when(!hasAudio),
    black: ofVideo(() => still(black)),
    silent: hasAudio ? still(silent) : fine,
    keyframes: ofVideo(() => keyframes(measures, needs.gopMs)),
    // A black picture needs next to nothing.
    bitrate_low: ofVideo(() => (black > 0 ? fine : atLeast(steady.videoKbps, leastBitrate(measures, steady.fps)))),
    fps_low: ofVideo(() => atLeast(steady.fps, fpsLimit)),
    fps_uneven: ofVideo(() => when(!isSlow && steady.stepMs > stepFrames * frameMs)),
    // Silence is compressed to next to nothing.
    audio_low: hasAudio && silent === 0 && needs.audioKbps > 0 ? atLeast(steady.audioKbps, needs.audioKbps) : fine,
  }
}

const still = (count: number): Check => ({ is: count >= stillsMin ? 'bad' : count === 0 ? 'fine' : 'unknown' })

/** A group that is longer than the limit already is a fault before its end. */
function keyframes({ gopMs, keyAgeMs }: InputMeasures, limitMs: number): Check {
  const ms = Math.max(gopMs ?? 0, keyAgeMs)
  const figures = { value: Math.round(ms / 100) / 10, limit: limitMs / 1000 }
  return { is: ms > limitMs ? 'bad' : gopMs === null ? 'unknown' : 'fine', ...figures }
}

/** State of a fault: whether it counts, and since when the stream contradicts that, milliseconds. */
interface FaultState {
  readonly fault: Fault
  readonly isOn: boolean
  readonly since: number | null
}

/** States of the faults of a stream. */
export type FaultStates = ReadonlyMap<InputFault, FaultState>

/** No fault yet. */
export const noFaults: FaultStates = new Map()

/**
 * Judges one second of a stream.
 * @param now any clock, milliseconds
 * @returns the new states, and the faults that began or are over
 */
export function judgeInput(
  states: FaultStates,
  measures: InputMeasures,
  { needs = commonNeeds, now }: { readonly needs?: InputNeeds | undefined; readonly now: number },
): { readonly states: FaultStates; readonly changed: readonly FaultState[] } {
  const found = checks(measures, needs)
  const next = new Map<InputFault, FaultState>()
  const changed: FaultState[] = []
  for (const kind of inputFaults) {
    const check: Check = found?.[kind] ?? { is: 'unknown' }
    const before = states.get(kind)
    const state = turn(before, kind, { check, now })
    next.set(kind, state)
    if (state.isOn !== (before?.isOn ?? false)) changed.push(state)
  }
  return { states: next, changed }
}

function turn(
  before: FaultState | undefined,
  kind: InputFault,
  { check: { is, value, limit }, now }: { readonly check: Check; readonly now: number },
): FaultState {
  const { isOn = false, since: from = null } = before ?? {}
  const known = before?.fault ?? { kind, value: null, limit: null }
  const fault = is === 'bad' ? { kind, value: value ?? null, limit: limit ?? null } : known
  const isContrary = is === (isOn ? 'fine' : 'bad')
  if (!isContrary) return { fault, isOn, since: null }
  // A clock that was set back begins anew.
  const since = from === null || from > now ? now : from
  const lasts = isOn ? (onAfterMs[kind] === 0 ? 0 : offAfterMs) : onAfterMs[kind]
  return now - since >= lasts ? { fault, isOn: !isOn, since: null } : { fault, isOn, since }
}

/** Returns the faults that count, the worst first. */
export const faultsOf = (states: FaultStates): Fault[] =>
  inputFaults.flatMap((kind) => {
    const state = states.get(kind)
    return state?.isOn ? [state.fault] : []
  })

/** A channel of a broadcast, as far as the verdict depends on it. */
export interface ChannelFacts {
  readonly state: RestreamState
  /** Why it is not live; null or absent: no reason. */
  readonly reason?: string | null
  readonly attempt: number
  /** Its platform shows nothing. */
  readonly isDark?: boolean
}

/** Facts of a broadcast that its verdict is made of. */
export interface BroadcastFacts {
  readonly status: OnAir['status']
  /** The encoder ended the stream itself. */
  readonly isHeld: boolean
  /** There are averages of the incoming stream. */
  readonly isMeasured: boolean
  readonly bitrate: BitrateState
  readonly bitrateFigures: { readonly value: number | null; readonly limit: number | null }
  readonly faults: readonly Fault[]
  readonly channels: readonly ChannelFacts[]
}

/** Viewers see or hear nothing. Other reasons are warnings. */
const problems: ReadonlySet<VerdictKind> = new Set([
  'lost',
  'bitrate_refused',
  'channels_down',
  'no_video',
  'no_audio',
  'black',
  'silent',
])

/** Returns the level of a reason. */
export const levelOf = (kind: VerdictKind): 'warning' | 'problem' => (problems.has(kind) ? 'problem' : 'warning')

/** Returns the verdict on a broadcast. Problems come first; while the encoder is away, that is the only reason. */
export function verdictOf(facts: BroadcastFacts): Verdict {
  const { status, isHeld, isMeasured, bitrate, bitrateFigures, faults, channels } = facts
  const reason = (kind: VerdictKind, { value = null, limit = null }: Partial<Omit<Fault, 'kind'>> = {}) => ({
    kind,
    level: levelOf(kind),
    value,
    limit,
  })
  const ofInput = faults.map((fault) => reason(fault.kind, fault))
  const ofBitrate = bitrate === 'fine' ? [] : [reason(`bitrate_${bitrate}`, bitrateFigures)]
  const away = bitrate === 'refused' ? ofBitrate : [reason(isHeld ? 'held' : 'lost')]
  const ofChannels =
    status === 'active' ? channelReasons(channels, isMeasured).map(({ kind, ...counts }) => reason(kind, counts)) : []
  const all = status === 'lost' ? away : [...ofInput, ...ofBitrate, ...ofChannels]
  const reasons = [...all.filter(({ level }) => level === 'problem'), ...all.filter(({ level }) => level === 'warning')]
  return { level: reasons[0]?.level ?? (isMeasured ? 'good' : 'unknown'), reasons }
}

const failing: ReadonlySet<RestreamState> = new Set(['backoff', 'rejected'])
const starting: ReadonlySet<RestreamState> = new Set(['connecting', 'publishing'])

/**
 * A retry is a failure until the channel is live, and so is the wait for a track that the encoder does not send; a slow channel is
 * troubled. The first attempt is neither.
 * @param isMeasured the tracks of a stream are known before it has been measured
 */
function channelReasons(
  channels: readonly ChannelFacts[],
  isMeasured: boolean,
): { kind: VerdictKind; value: number; limit: number }[] {
  const limit = channels.length
  const failed = channels.filter(
    ({ state, reason, attempt }) =>
      failing.has(state) ||
      (starting.has(state) && attempt > 0) ||
      (isMeasured && state === 'idle' && reason === 'track'),
  )
  const slow = channels.filter(({ state }) => state === 'degraded')
  const troubled = failed.length + slow.length
  const dark = channels.filter(({ isDark }) => isDark).length
  const kind = failed.length === limit ? ('channels_down' as const) : ('channels_some' as const)
  return [
    ...(troubled > 0 ? [{ kind, value: troubled, limit }] : []),
    ...(dark > 0 ? [{ kind: 'not_seen' as const, value: dark, limit }] : []),
  ]
}
