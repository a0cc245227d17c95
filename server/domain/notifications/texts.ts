// Texts of notifications in the languages of the wire, made from kind and parameters when they are read or sent.
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { NotifyText } from '#contract/entities/notification.ts'
import cn from '#locales/cn/service/notifications.json' with { type: 'json' }
import cnFaults from '#locales/cn/faults.json' with { type: 'json' }
import cnLive from '#locales/cn/live.json' with { type: 'json' }
import en from '#locales/en/service/notifications.json' with { type: 'json' }
import enFaults from '#locales/en/faults.json' with { type: 'json' }
import enLive from '#locales/en/live.json' with { type: 'json' }
import ru from '#locales/ru/service/notifications.json' with { type: 'json' }
import ruFaults from '#locales/ru/faults.json' with { type: 'json' }
import ruLive from '#locales/ru/live.json' with { type: 'json' }
import { day, fill, gigabytes, minute } from '#server/core/locale.ts'
import { type CreatedKind, type FailedChannel, type KindParams, kindOf } from './kinds.ts'

/** Title and text. */
export type TitleAndText = readonly [title: string, text: string]
type Texts = typeof en
type Reasons = Readonly<Record<string, string>>

const all: Readonly<Record<Language, Texts>> = { en, ru, cn }
/** Reasons of failed channels, as the pages of a broadcast show them. */
const channelReasons: Readonly<Record<Language, Reasons>> = { en: enLive.reason, ru: ruLive.reason, cn: cnLive.reason }

/** Faults of an incoming stream, as the pages of a broadcast show them. */
const faults: Readonly<Record<Language, typeof enFaults>> = { en: enFaults, ru: ruFaults, cn: cnFaults }

/** Returns the texts of a language; see `fill`. */
export const textsIn = (language: Language): Texts => all[language]

const longest = 80
/** Words of a platform. */
const longestWords = 300
const shownNames = 5

/** Makes a name of a user or of a platform one harmless line: mail and chat programs turn addresses into links. */
export const plain = (name: string, max = longest): string =>
  name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/[./:@\\]+(?=\S)/g, ' ')
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .slice(0, max)
    .toWellFormed()
    .trim()

/** Joins the first names, and the number of the others. */
function namesOf(channels: readonly FailedChannel[], { comma, more }: Texts['names']): string {
  const shown = channels.slice(0, shownNames).map(({ name }) => plain(name))
  const count = channels.length - shown.length
  return [...shown, ...(count > 0 ? [fill(more, { count })] : [])].join(comma)
}

const filled = ({ title, text }: { readonly title: string; readonly text: string }, values: object): TitleAndText => [
  fill(title, { ...values }),
  fill(text, { ...values }),
]

type Writers = {
  readonly [K in CreatedKind]: (params: KindParams[K], texts: Texts, language: Language) => TitleAndText
}
type Plan = KindParams['plan_renewal_failed']
type Codec = KindParams['broadcast_unsupported_codec']

const expires = (
  { line, plan, date_end }: Pick<Plan, 'line' | 'plan' | 'date_end'>,
  t: Texts,
  language: Language,
): TitleAndText => [fill(t.kinds.plan_expires, { plan, date_end: day(language, date_end) }), t.planEnd[line]]
const expired = ({ line, plan }: Pick<Plan, 'line' | 'plan'>, t: Texts): TitleAndText => [
  fill(t.kinds.plan_expired, { plan }),
  t.planEnd[line],
]
const renewed = ({ line, plan, price }: Plan, t: Texts): TitleAndText =>
  filled(t.kinds.plan_renewed, { line: t.line[line], plan, price })
const codec = (params: Codec, t: Texts): TitleAndText =>
  filled(t.kinds.broadcast_unsupported_codec, { codec: plain(params.codec), channel: plain(params.channel) })
const bitrate = (
  { words, over = false }: { readonly words: string; readonly over?: boolean },
  { kinds }: Texts,
): TitleAndText => filled(over ? kinds.bitrate_fits : kinds.broadcast_bitrate_exceeded, { words })

/** A fault of the incoming stream, with the remedy while it lasts. Rows of earlier releases name no fault: they had no frames. */
const inputFault = (
  { fault = 'no_video', over }: KindParams['stream_unhealthy'],
  { kinds }: Texts,
  language: Language,
): TitleAndText => {
  const { title, todo } = faults[language][fault]
  return over ? filled(kinds.input_fixed, { title }) : [title, todo]
}

/** Joins sentences. Chinese full stops include their own space. */
const sentences = (parts: readonly string[]): string =>
  parts.filter(Boolean).reduce((text, part) => text + (text.endsWith('。') ? '' : ' ') + part)

/** Where arrived money is: in the balance, or in the debt that it paid. */
function arrived(
  { debt = null, rest = null, owed = null }: Pick<KindParams['balance_credited'], 'debt' | 'rest' | 'owed'>,
  t: Texts,
): string {
  const { whole, partly, debtOnly, stillOwed } = t.arrived
  if (debt === null) return whole
  const left = owed === null ? '' : fill(stillOwed, { owed })
  return sentences([rest === null ? fill(debtOnly, { debt }) : fill(partly, { debt, rest }), left])
}

/** A case of the operators; without what to do once it is closed. */
const decision = (
  [title, text]: TitleAndText,
  { over }: { readonly over?: boolean },
  { closed }: Texts,
): TitleAndText => (over ? [fill(closed.title, { title }), closed.text] : [title, text])

/** A run of a schedule that was missed or failed. */
const badRun =
  (kind: 'schedule_missed' | 'schedule_failed') =>
  ({ schedule, date, reason }: KindParams[typeof kind], t: Texts, language: Language): TitleAndText => {
    const [title, text] = filled(t.kinds[kind], { schedule: plain(schedule), date: minute(language, date) })
    return [title, sentences([text, t.scheduleReasons[reason]])]
  }

const caseOf = ({ project, amount }: KindParams['operator_payout']) => ({ project: plain(project), amount })

const writers: Writers = {
  broadcast_started: (_, { kinds }) => filled(kinds.broadcast_started, {}),
  broadcast_stopped: (_, { kinds }) => filled(kinds.broadcast_stopped, {}),
  broadcast_connecting_lost: ({ over = false }, { kinds }) =>
    filled(over ? kinds.encoder_back : kinds.broadcast_connecting_lost, {}),
  start_channel_failed: ({ channels }, { kinds, names }, language) => {
    const failed = channels.filter((one) => one.failed)
    const [first] = failed
    const { one, many } = kinds.start_channel_failed
    if (failed.length !== 1 || !first) return filled(many, { count: failed.length, names: namesOf(failed, names) })
    const [title, text] = filled(one, { name: plain(first.name) })
    return [title, channelReasons[language][first.reason ?? ''] ?? text]
  },
  start_channel_success: ({ channels }, { kinds, names }) => {
    const { one, many } = kinds.start_channel_success
    const list = namesOf(channels, names)
    return channels.length === 1 ? filled(one, { name: list }) : filled(many, { names: list })
  },
  channel_token_error: ({ platform, account }, { kinds }) =>
    filled(kinds.channel_token_error, { platform, account: plain(account) }),
  channel_api_update_chat_error: ({ platform, account }, { kinds }) =>
    filled(kinds.channel_api_update_chat_error, { platform, account: plain(account) }),
  stream_unhealthy: inputFault,
  channel_not_seen: ({ channel, ended, words = '', over }, t) => {
    const { not_seen, ended_there, seen_again, words: quote } = t.kinds.channel_not_seen
    const [title, text] = filled(over ? seen_again : ended ? ended_there : not_seen, { channel: plain(channel) })
    const quoted = words === '' || over ? '' : fill(quote, { words: plain(words, longestWords).replace(/\.$/, '') })
    return [title, sentences([text, quoted])]
  },
  channel_api_create_broadcast_success: ({ channel, page }, { kinds }) =>
    filled(kinds.channel_api_create_broadcast_success, { channel: plain(channel), page }),
  channel_api_create_broadcast_error: ({ channel, reason, words }, t, language) => {
    const { title, text } = t.kinds.channel_api_create_broadcast_error
    const quote =
      words === null
        ? ''
        : fill(t.kinds.channel_not_seen.words, { words: plain(words, longestWords).replace(/\.$/, '') })
    const why = quote === '' ? (channelReasons[language][reason] ?? '') : quote
    return [fill(title, { channel: plain(channel) }), sentences([text, why])]
  },
  schedule_missed: badRun('schedule_missed'),
  schedule_failed: badRun('schedule_failed'),
  broadcast_bitrate_exceeded: bitrate,
  broadcast_bitrate_exceeded_screen: bitrate,
  broadcast_not_audio: (params, ...rest) => inputFault({ ...params, fault: 'no_audio' }, ...rest),
  broadcast_unsupported_codec: codec,
  broadcast_unsupported_codec_screen: codec,
  plan_restream_expires: expires,
  plan_transcoder_expires: expires,
  plan_storage_expires: expires,
  plan_restream_expired: expired,
  plan_transcoder_expired: expired,
  plan_storage_expired: expired,
  plan_restream_renewed: renewed,
  plan_transcoder_renewed: renewed,
  plan_storage_renewed: renewed,
  plan_renewal_ahead: ({ line, plan, price, date_end, next, missing = null }, t, language) => {
    const { title, text, short } = t.kinds.plan_renewal_ahead
    return filled(
      { title, text: missing === null ? text : short },
      {
        line: t.line[line],
        plan,
        price,
        missing,
        date_end: minute(language, date_end),
        next: minute(language, next ?? date_end),
      },
    )
  },
  plan_renewal_failed: ({ line, plan, price, date_end, next, reason }, t, language) => {
    // Reasons without a text are codes of the provider.
    const reasons: Reasons = t.renewalReason
    const { again, last } = t.kinds.plan_renewal_failed
    return filled(next === null ? last : again, {
      line: t.line[line],
      plan,
      price,
      reason: reason === null ? '' : (reasons[reason] ?? reason),
      next: next === null ? '' : minute(language, next),
      date_end: minute(language, date_end),
    })
  },
  payment_failed: ({ amount }, { kinds }) => filled(kinds.payment_failed, { amount }),
  storage_nearly_full: ({ percent }, { kinds }) => filled(kinds.storage_nearly_full, { percent }),
  recordings_removal: ({ removing_at, files, size }, { kinds }, language) => {
    const { title, text, textOfOne } = kinds.recordings_removal
    const values = { date: minute(language, removing_at), files, size: gigabytes(language, size) }
    return filled({ title, text: files === 1 ? textOfOne : text }, values)
  },
  request_access_project: ({ project, from }, { kinds }) =>
    filled(kinds.request_access_project, { project: plain(project), from: plain(from) }),
  request_access_channel: ({ project, channel }, { kinds }) =>
    filled(kinds.request_access_channel, { project: plain(project), channel: plain(channel) }),
  new_sign_in: ({ device, date }, { kinds }, language) =>
    filled(kinds.new_sign_in, { device: plain(device), date: minute(language, date) }),
  webhook_stopped: ({ host, reason }, { kinds }) => {
    const { title, secret, refused } = kinds.webhook_stopped
    return filled({ title, text: reason === 'secret' ? secret : refused }, { host })
  },
  channel_unreachable: ({ channel }, { kinds: { channel_unreachable: texts } }) => [texts[channel], texts.text],
  notification_test: (_, { kinds }) => filled(kinds.notification_test, {}),
  payment_refunded: ({ amount }, { kinds }) => filled(kinds.payment_refunded, { amount }),
  payment_disputed: ({ amount }, { kinds }) => filled(kinds.payment_disputed, { amount }),
  payment_dispute_won: (params, t) => [
    fill(t.kinds.payment_dispute_won.title, { amount: params.amount }),
    arrived(params, t),
  ],
  payment_dispute_lost: ({ amount }, { kinds }) => filled(kinds.payment_dispute_lost, { amount }),
  payment_refund_failed: (params, t) => [
    fill(t.kinds.payment_refund_failed.title, { amount: params.amount }),
    sentences([arrived(params, t), t.kinds.payment_refund_failed.text]),
  ],
  invoice_issued: ({ amount, number }, { kinds }) => filled(kinds.invoice_issued, { amount, number }),
  balance_credited: (params, t) => {
    const { given, arrived: whole, paidDebt, bought, kept } = t.kinds.balance_credited
    const { payment_id, debt, plan, outcome } = params
    const title = payment_id === null ? given : debt ? paidDebt : whole
    const about = outcome === 'bought' ? bought : outcome === 'kept' ? kept : ''
    const money = outcome === 'bought' && !debt ? '' : arrived(params, t)
    return [fill(title, { ...params }), sentences([money, fill(about, { plan })])]
  },
  debt_opened: ({ amount }, { kinds }) => filled(kinds.debt_opened, { amount }),
  plan_given: ({ line, plan, date_end }, t, language) =>
    filled(t.kinds.plan_given, { line: t.line[line], plan, date_end: day(language, date_end) }),
  plan_changed: ({ line, plan, date_start, date_end, charged, returned }, t, language) => {
    const { title, text, charged: paid, returned: back } = t.kinds.plan_changed
    const dates = { date_start: day(language, date_start), date_end: day(language, date_end) }
    const money = [charged !== null && fill(paid, { charged }), returned !== null && fill(back, { returned })]
    return [
      fill(title, { line: t.line[line], plan }),
      sentences([fill(text, dates), ...money.filter((one) => one !== false)]),
    ]
  },
  payout_sent: ({ amount, reference }, { kinds }) => filled(kinds.payout_sent, { amount, reference: plain(reference) }),
  payout_refused: ({ amount, reason }, { kinds }) => filled(kinds.payout_refused, { amount, reason: plain(reason) }),
  project_suspended: ({ project, reason }, { kinds }) =>
    filled(kinds.project_suspended, { project: plain(project), reason }),
  project_resumed: ({ project }, { kinds }) => filled(kinds.project_resumed, { project: plain(project) }),
  operator_transfer: (params, t) => decision(filled(t.kinds.operator_transfer, caseOf(params)), params, t),
  operator_payout: (params, t) => decision(filled(t.kinds.operator_payout, caseOf(params)), params, t),
  operator_review: (params, t) => decision(filled(t.kinds.operator_review, caseOf(params)), params, t),
  operator_dispute: (params, t) => decision(filled(t.kinds.operator_dispute, caseOf(params)), params, t),
  operator_receipt: (params, t) => decision(filled(t.kinds.operator_receipt, caseOf(params)), params, t),
  operator_job: (params, t) =>
    decision(filled(t.kinds.operator_job, { job: plain(params.job), error: plain(params.error) }), params, t),
  operator_backup: (params, t, language) =>
    decision(filled(t.kinds.operator_backup, { date: minute(language, params.date) }), params, t),
}

/** A stored notification, as far as its texts need it. */
export interface TextSource {
  readonly kind: string
  /** JSON. */
  readonly params: string
}

/** Returns title and text in one language. A kind of another release has its name as title. */
export function textOf({ kind, params }: TextSource, language: Language): TitleAndText {
  if (!kindOf(kind)) return [kind, '']
  const write = writers[kind as CreatedKind] as (params: unknown, texts: Texts, language: Language) => TitleAndText
  return write(JSON.parse(params), all[language], language)
}

const published = { en: 'english', ru: 'russian', cn: 'none' } as const

/** Returns the texts in all languages, as the wire has them. */
export const textsOf = (row: TextSource): NotifyText[] =>
  languages.map((language) => {
    const [title, text] = textOf(row, language)
    return { language: published[language], language_iso: language, title, text }
  })

/** Returns texts of an action in all languages, as the wire has them. @param done after the action */
export const actionTexts = (of: (texts: Texts) => { readonly title: string; readonly done: string }) =>
  languages.map((language) => {
    const { title, done } = of(all[language])
    return { language: published[language], language_iso: language, title, complited_title: done }
  })
