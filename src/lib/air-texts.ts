// Texts of a broadcast: reasons of failures and of the verdict, and the state of channels. Home and the assistants of
// `integrations/mcp` show the same.
import type { Restream, RestreamState, Verdict, VerdictKind } from '#contract/entities/on-air.ts'
import type { Language } from '#contract/core/wire.ts'
import { formatBitrate, formatNumber } from './format.ts'

/** Returns a text by its key, with its values. */
type Translate = (key: string, values: Readonly<Record<string, string>>) => string

/** The connection that failed: to the server of a channel, or from the encoder. */
export type Connection = 'channel' | 'encoder'

interface Failure {
  readonly of: Connection
  readonly reason: string | null | undefined
  /** Message of the platform, or figures of the relay. */
  readonly words: string | null | undefined
}

/** Reasons with `words` measured by the relay, not sent by the platform. */
const measured: ReadonlySet<string> = new Set(['bitrate', 'codec'])

/**
 * Returns the text of a failure. An unknown reason is its own text.
 * @param t texts of `live`
 */
export function reasonText(t: Translate, { of, reason, words }: Failure): string {
  const ofCode = of === 'channel' ? codeText(t, words ?? '') : null
  if (ofCode !== null) return ofCode
  const ofChannel = reason ? t(keyOf(reason), { defaultValue: reason }) : ''
  const why = reason && of === 'encoder' ? t(`encoder.${reason}`, { defaultValue: ofChannel }) : ofChannel
  if (reason && words && measured.has(reason)) return `${why} (${words})`
  if (!words) return why
  // Chinese full stops include their own space.
  const gap = why === '' || why.endsWith('。') ? '' : ' '
  return `${why}${gap}${t('serverMessage', { words })}`
}

/** Titles that were not set have texts of their own. */
const keyOf = (reason: string): string =>
  reason.startsWith('title-') ? `title.${reason.slice('title-'.length)}` : `reason.${reason}`

/** Returns the text of a code of an SRT receiver; null for other messages, and for codes without a text. */
function codeText(t: Translate, words: string): string | null {
  const code = /^SRT (\d{4})$/.exec(words)?.[1]
  const text = code && t(`srt.${code}`, { defaultValue: code })
  return !text || text === code ? null : text
}

/** Form of the figures of a reason, a key below `faults:unit`; others have none. */
const units: Readonly<Partial<Record<VerdictKind, 'seconds' | 'fps' | 'least' | 'most' | 'channels'>>> = {
  keyframes: 'seconds',
  fps_low: 'fps',
  bitrate_low: 'least',
  audio_low: 'least',
  bitrate_high: 'most',
  bitrate_refused: 'most',
  channels_down: 'channels',
  channels_some: 'channels',
  not_seen: 'channels',
}

/**
 * Returns the measured value of a reason of the verdict beside its limit; null without figures.
 * @param t texts of `faults`
 */
export function figuresText(
  t: Translate,
  { kind, value, limit }: Verdict['reasons'][number],
  language: Language,
): string | null {
  const unit = units[kind]
  if (unit === undefined || value === null || limit === null) return null
  const isKbps = unit === 'least' || unit === 'most'
  const shown = (figure: number) =>
    isKbps ? formatBitrate(Math.round(figure), language) : formatNumber(figure, language)
  return t(`unit.${unit}`, { value: shown(value), limit: shown(limit) })
}

/**
 * Returns that the platform does not show the broadcast; null while it does, or while that is unknown.
 * @param t texts of `home:channels`
 * @param stop mark between two sentences
 */
export function sightText(
  t: Translate,
  { seen }: Pick<Restream, 'seen'>,
  platform: string,
  stop: string,
): string | null {
  if (seen?.state !== 'not_seen' && seen?.state !== 'ended_there') return null
  const dark = t(`seen.${seen.state}`, { platform })
  return seen.words ? dark + stop + t('seen.words', { platform, words: seen.words.replace(/\.$/, '') }) : dark
}

const heldStates: ReadonlySet<RestreamState | undefined> = new Set<RestreamState>(['live', 'degraded', 'backoff'])

/** Returns a channel as a pause shows it: a connected platform receives no data, and a failed one gets no attempt. */
export const inPause = (restream: Restream): Restream =>
  heldStates.has(restream.state) ? { ...restream, state: 'idle' } : restream
