// Why a broadcast or a channel is not well, in the sentences that Home shows.
import { createInstance, type i18n } from 'i18next'
import type { BroadcastStatus, FillKind, OnAir, Restream } from '#contract/entities/on-air.ts'
import type { Language } from '#contract/core/wire.ts'
import { factsOf, isOneOf, platformTypes } from '#contract/platforms/platforms.ts'
import commonCn from '#locales/cn/common.json' with { type: 'json' }
import faultsCn from '#locales/cn/faults.json' with { type: 'json' }
import homeCn from '#locales/cn/home.json' with { type: 'json' }
import liveCn from '#locales/cn/live.json' with { type: 'json' }
import commonEn from '#locales/en/common.json' with { type: 'json' }
import faultsEn from '#locales/en/faults.json' with { type: 'json' }
import homeEn from '#locales/en/home.json' with { type: 'json' }
import liveEn from '#locales/en/live.json' with { type: 'json' }
import commonRu from '#locales/ru/common.json' with { type: 'json' }
import faultsRu from '#locales/ru/faults.json' with { type: 'json' }
import homeRu from '#locales/ru/home.json' with { type: 'json' }
import liveRu from '#locales/ru/live.json' with { type: 'json' }
import { figuresText, inPause, reasonText, sightText } from '#src/lib/air-texts.ts'
import { fillOf, healthKey, healthOf, slateOf } from '#src/lib/health.ts'
import { marks } from '#src/lib/marks.ts'

const resources = {
  en: { common: commonEn, faults: faultsEn, home: homeEn, live: liveEn },
  ru: { common: commonRu, faults: faultsRu, home: homeRu, live: liveRu },
  cn: { common: commonCn, faults: faultsCn, home: homeCn, live: liveCn },
}

/** A channel of the project, as the list of channels has it. */
export interface ChannelFacts {
  readonly group_id: number
  readonly name: string
  readonly type: string
  readonly active: boolean
}

/** What an explanation is about. */
export interface Explained {
  readonly status: BroadcastStatus
  readonly channels: readonly ChannelFacts[]
  /** Part of a channel's name or platform; left out: the broadcast and all its channels. */
  readonly about?: string | undefined
  /** Time now, milliseconds since 1970. */
  readonly now: number
}

interface Line {
  readonly name: string
  readonly platform: string
  readonly type: string
  readonly isOn: boolean
  readonly restream: Restream | undefined
}

/** Returns a function that explains, in one language. */
export async function explainer(language: Language): Promise<(explained: Explained) => string> {
  const texts = createInstance({
    lng: language,
    fallbackLng: 'en',
    resources,
    defaultNS: 'home',
    interpolation: { escapeValue: false },
  })
  await texts.init()
  return (explained) => explain(texts, language, explained)
}

function explain(texts: i18n, language: Language, { status, channels, about, now }: Explained): string {
  const lines = linesOf(status.kind === 'inactive' ? [] : status.restreams, channels)
  const found = about === undefined ? lines : lines.filter((line) => matches(line, about))
  if (found.length === 0 && about !== undefined)
    return `No channel of this project matches "${about}". Channels: ${lines.map(labelOf).join(', ') || 'none'}.`
  if (status.kind === 'inactive')
    return [texts.t('common:onAir.off'), ...found.map((line) => `- ${labelOf(line)}: ${stateOf(texts, line)}`)].join(
      '\n',
    )
  return [
    ...broadcastLines(texts, language, status, channels),
    ...found.map(
      (line) =>
        `- ${channelLine(texts, language, line, { isPaused: status.status === 'pause' && !slateOf(status), fill: fillOf(status), now })}`,
    ),
  ].join('\n')
}

/** State, health and verdict of the broadcast, each reason with its remedy. */
function broadcastLines(texts: i18n, language: Language, onAir: OnAir, channels: readonly ChannelFacts[]): string[] {
  const { colon, gap, stop } = marks[language]
  const { level = 'good', reasons = [] } = onAir.verdict ?? {}
  const isHeld = reasons.some(({ kind }) => kind === 'held')
  const title = isHeld ? 'held' : { active: 'title', pause: 'paused', lost: 'lost' }[onAir.status]
  const on = channels.filter(({ active }) => active).map(({ group_id }) => group_id)
  const { state, live, count } = healthOf(onAir, on)
  const slate = slateOf(onAir)
  const isScheduled = onAir.kind === 'scheduler'
  const health = texts.t(`health.${healthKey(state, { slate, isHeld, isScheduled })}`, {
    live,
    count,
    name: onAir.name ?? '',
  })
  const shown = state === 'lost' && slate ? `${gap}${texts.t(`health.${slate}`)}` : ''
  const scheduled =
    isScheduled && state !== 'paused'
      ? `${/[.。…]$/.test(health) ? gap : stop}${texts.t('health.scheduled', { name: onAir.name ?? '' })}`
      : ''
  const faults = texts.getFixedT(language, 'faults')
  return [
    `${texts.t(`onAir.${title}`)}${stop}${health}${shown}${scheduled}`,
    `${faults('title')}${colon}${faults(`level.${level}`)}`,
    ...reasons.map((reason) => {
      const figures = figuresText((key, values) => faults(key, values), reason, language)
      const what = faults(`${reason.kind}.title`)
      return `- ${faults(`level.${reason.level}`)}${colon}${what}${figures ? ` (${figures})` : ''}${stop}${faults(`${reason.kind}.todo`)}`
    }),
    `${texts.t('channels.title')}${colon}`.trimEnd(),
  ]
}

function channelLine(
  texts: i18n,
  language: Language,
  line: Line,
  { isPaused, fill, now }: { readonly isPaused: boolean; readonly fill: FillKind | null; readonly now: number },
): string {
  const { colon, gap, stop } = marks[language]
  const restream = line.restream && isPaused ? inPause(line.restream) : line.restream
  const isFilled = fill !== null && restream?.state === 'live'
  const state = isFilled ? texts.t(`channels.fill.${fill}`) : stateOf(texts, { ...line, restream })
  if (!restream) return `${labelOf(line)}${colon}${state}`
  const t = texts.getFixedT(language, 'home', 'channels')
  const live = texts.getFixedT(language, 'live')
  const { reason, words, next_retry: next, attempt = 0 } = restream
  const why = reasonText((key, values) => live(key, values), { of: 'channel', reason, words })
  const seconds = next ? Math.max(0, Math.ceil((Date.parse(next) - now) / 1000)) : null
  const retry = seconds === null ? '' : t('nextRetry', { seconds, attempt: attempt + 1 })
  const dark = sightText((key, values) => t(key, values), restream, line.platform, stop) ?? ''
  const more = [why, retry, dark].filter(Boolean).join(gap)
  return `${labelOf(line)}${colon}${state}${more && `${stop}${more}`}`
}

function stateOf(texts: i18n, { restream, isOn }: Line): string {
  if (restream?.state) return texts.t(`live:state.${restream.state}`)
  return texts.t(isOn ? 'channels.notSent' : 'channels.isOff')
}

/** Channels on air, then those of the project that are not. */
function linesOf(restreams: readonly Restream[], channels: readonly ChannelFacts[]): Line[] {
  const named = (type = '') => (isOneOf(platformTypes, type) ? factsOf(type).title : type)
  const onAir = restreams.map((restream): Line => {
    const channel = channels.find(({ group_id }) => group_id === restream.channel_id)
    const type = channel?.type ?? restream.type ?? ''
    const name = channel?.name ?? restream.name ?? ''
    return { name, type, platform: named(type), isOn: channel?.active ?? true, restream }
  })
  const others = channels
    .filter(({ group_id }) => restreams.every(({ channel_id }) => channel_id !== group_id))
    .map(({ name, type, active }): Line => ({ name, type, platform: named(type), isOn: active, restream: undefined }))
  return [...onAir, ...others]
}

const labelOf = ({ name, platform }: Line): string => (name === platform ? name : `${name} (${platform})`)

const matches = ({ name, platform, type }: Line, about: string): boolean =>
  [name, platform, type].some((text) => text.toLowerCase().includes(about.trim().toLowerCase()))
