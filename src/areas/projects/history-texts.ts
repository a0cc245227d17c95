// Text for the details of a history row in the user's language.
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { type HistoryAction, type HistoryDetails, historyDetails } from '#contract/entities/history.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { type AccessType, ChannelRight, rightOf, roleOf } from '#contract/entities/roles.ts'

/** Translate function for the `projects` namespace. */
export type Translate = (key: string, values?: Record<string, unknown>) => string

type Item = Pick<HistoryItem, 'action' | 'details'>
type Part = string | null | undefined | false
type ChannelDetails = HistoryDetails<'project_channel_change'>
type MemberDetails = HistoryDetails<'user_project_change'>

/** `before → after`, or the single value that is present. */
const moved = (...parts: readonly Part[]): Part => parts.filter(Boolean).join(' → ')

/** `name (about): change`, of the parts that are present. */
const join = (name: Part, about: Part, change?: Part): string =>
  [name && about ? `${name} (${about})` : name || about, change].filter(Boolean).join(': ')

const named = ({ name, was }: { readonly name?: string | undefined; readonly was?: string | undefined }): string =>
  join(moved(was, name), null)
const nothing = (): string => ''

const lineOf = (line: LineName | undefined, t: Translate): Part => line && t(`history.line.${line}`)
const bought = ({ plan, line }: HistoryDetails<'plan_bought'>, t: Translate): string => join(plan, lineOf(line, t))
const renewal = ({ line }: HistoryDetails<'plan_renewal_on'>, t: Translate): string => join(lineOf(line, t), null)

function member({ name, email, from, to, access_type }: MemberDetails, t: Translate): string {
  const role = (type: AccessType | undefined): Part => type !== undefined && t(`role.${roleOf(type)}`)
  return join(name || email, null, moved(role(from), role(to)) || role(access_type))
}

function channel(details: ChannelDetails, t: Translate): string {
  const { name, was, email, project, from, to, access_type } = details
  const right = (type: AccessType | undefined): Part => {
    const read = ChannelRight.safeParse(type)
    return read.success && t(`history.channelRight.${rightOf(read.data)}`)
  }
  return join(moved(was, name) || email, project, moved(right(from), right(to)) || right(access_type))
}

/** Text keys for the reasons why the service switched a channel off. */
const offBy: Readonly<Record<string, string>> = {
  plan_ended: 'history.channel.offByPlan',
  custom_address: 'history.channel.offByCustomAddress',
}

/** The changed property of a channel; null where the other details name it. */
function changeOf(details: ChannelDetails, t: Translate): Part {
  const { active, reason = '', delay_seconds: seconds, transcoder_id: transcoder, address, settings } = details
  if (active !== undefined) return t(active ? 'history.channel.on' : (offBy[reason] ?? 'history.channel.off'))
  if (seconds !== undefined)
    return seconds > 0 ? t('history.channel.delay', { count: seconds }) : t('history.channel.noDelay')
  if (transcoder !== undefined)
    return t(transcoder === null ? 'history.channel.noTranscoder' : 'history.channel.transcoder')
  const choice = (['tracks', 'ladder', 'silence'] as const).find((name) => details[name])
  if (choice) return t(`history.channel.${choice}`)
  if (details.healing !== undefined) return t(details.healing ? 'history.channel.healing' : 'history.channel.noHealing')
  if (address) return t('history.channel.address', { address })
  if (settings) return t('history.channel.settings')
  if (details.planned !== undefined)
    return t(details.planned === null ? 'history.channel.notPlanned' : 'history.channel.planned')
  if (details.telegram_chat !== undefined)
    return t(details.telegram_chat === null ? 'history.channel.noTelegramChat' : 'history.channel.telegramChat')
  return details.handed_over && t('history.channel.handedOver')
}

/** Text keys for the reasons why an encoder was refused. */
const refusals: Readonly<Record<HistoryDetails<'encoder_refused'>['reason'], string>> = {
  another_encoder: 'history.refused.another_encoder',
  replaced_key: 'history.refused.replaced_key',
  wrong_passphrase: 'history.refused.wrong_passphrase',
  bitrate: 'history.refused.bitrate',
  too_many_broadcasts: 'history.refused.too_many_broadcasts',
  suspended: 'history.refused.suspended',
  server_full: 'history.refused.server_full',
}

const texts: { readonly [A in HistoryAction]: (details: HistoryDetails<A>, t: Translate) => string } = {
  project_channel_invite_add: channel,
  project_channel_invite_del: channel,
  project_channel_invite_accept: channel,
  project_channel_invite_decline: channel,
  user_project_invite_add: member,
  user_project_invite_del: member,
  user_project_invite_accept: member,
  user_project_invite_decline: member,
  user_project_add: member,
  user_project_del: member,
  user_project_change: member,
  project_channel_add: channel,
  project_channel_del: channel,
  project_channel_change: (details, t) => join(channel(details, t), null, changeOf(details, t)),
  project_created: named,
  project_changed: named,
  plan_bought: bought,
  plan_cancelled: bought,
  plan_renewed: bought,
  plan_renewal_on: renewal,
  plan_renewal_off: renewal,
  plan_notice: ({ name, line }, t) => join(name, lineOf(line, t)),
  billing_details_changed: nothing,
  promo_applied: named,
  payout_created: named,
  payout_cancelled: nothing,
  balance_moved: named,
  stream_key_rotated: nothing,
  stats_key_rotated: nothing,
  stream_record_on: nothing,
  stream_record_off: nothing,
  stream_wait: ({ minutes }, t) => timeOf(minutes, t),
  stream_quality: ({ kbps }) => (kbps === null ? '' : `${kbps} kbps`),
  remote_source_started: named,
  remote_source_stopped: named,
  schedule_created: named,
  schedule_changed: named,
  schedule_removed: named,
  schedule_stopped: named,
  stream_lost_picture: named,
  stream_pause_picture: named,
  encoder_refused: ({ network, reason }, t) => join(network, null, t(refusals[reason])),
  pull_key_created: named,
  pull_key_changed: named,
  pull_key_removed: named,
  transcoder_created: named,
  transcoder_changed: named,
  transcoder_removed: named,
  transcoder_stopped: named,
  transcoder_started: named,
  broadcast_began: nothing,
  broadcast_ended: nothing,
  recording_removed: nothing,
  storage_notice: nothing,
  payment_received: nothing,
  payment_refunded: nothing,
  payment_disputed: nothing,
  payment_dispute_won: nothing,
}

const isKnown = (action: string): action is HistoryAction => Object.hasOwn(texts, action)

function textOf<A extends HistoryAction>(action: A, details: unknown, t: Translate): string {
  const read = historyDetails[action].safeParse(details)
  return read.success ? texts[action](read.data as HistoryDetails<A>, t) : ''
}

/**
 * Details of an entry as text; empty when there is nothing to add, and for actions of a later service.
 * @example detailsOf({ action: 'user_project_change', details: { name: 'Vic', from: 0, to: 1 } }, t) // 'Vic: Viewer → Editor'
 */
export const detailsOf = ({ action, details }: Item, t: Translate): string =>
  isKnown(action) && details ? textOf(action, details, t) : ''

/** A period of minutes; whole hours as hours. */
const timeOf = (minutes: number, t: Translate): string =>
  minutes >= 60 && minutes % 60 === 0
    ? t('history.hours', { count: minutes / 60 })
    : t('history.minutes', { count: minutes })

/** Name of the user; without a name, a label for the service or for an unknown user. */
export const personOf = ({ user_, action }: Pick<HistoryItem, 'user_' | 'action'>, t: Translate): string => {
  const name = [user_?.name, user_?.fename].filter(Boolean).join(' ')
  if (name) return name
  return action.endsWith('_decline') ? t('history.noAccount') : t('history.service')
}
