// Text for the details of a history row in the user's language.
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { lineNames } from '#contract/entities/plan.ts'
import { AccessType, ChannelRight, rightOf, roleOf } from '#contract/entities/roles.ts'

/** Translate function for the `projects` namespace. */
export type Translate = (key: string, values?: Record<string, unknown>) => string

type Details = NonNullable<HistoryItem['details']>

const text = (details: Details, name: string): string | null => {
  const value = details[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Role in a project, or right to a shared channel. */
const role = (item: Item, name: string, t: Translate): string | null => {
  const value = item.details?.[name]
  if (item.action.startsWith('project_channel')) {
    const right = ChannelRight.safeParse(value)
    return right.success ? t(`history.channelRight.${rightOf(right.data)}`) : null
  }
  const accessType = AccessType.safeParse(value)
  return accessType.success ? t(`role.${roleOf(accessType.data)}`) : null
}

/** `before → after`, or the single value that is present. */
const moved = (...parts: readonly (string | null)[]): string | null => parts.filter(Boolean).join(' → ') || null

/** Text keys for the reasons why the service switched a channel off. */
const offBy: Readonly<Record<string, string>> = { plan_ended: 'offByPlan', custom_address: 'offByCustomAddress' }

/** The changed property of a channel; null where the other details name it. */
function channelChange(details: Details, t: Translate): string | null {
  const { active, reason, delay_seconds: seconds, transcoder_id: transcoder, settings } = details
  const say = (key: string, values?: Record<string, unknown>) => t(`history.channel.${key}`, values)
  if (typeof active === 'boolean') {
    if (active) return say('on')
    return say((typeof reason === 'string' && offBy[reason]) || 'off')
  }
  if (typeof seconds === 'number') return seconds > 0 ? say('delay', { count: seconds }) : say('noDelay')
  if (transcoder !== undefined) return say(transcoder === null ? 'noTranscoder' : 'transcoder')
  if (text(details, 'address')) return say('address', { address: text(details, 'address') })
  if (settings !== undefined) return say('settings')
  if (details['planned'] !== undefined) return say(details['planned'] === null ? 'notPlanned' : 'planned')
  if (details['telegram_chat'] !== undefined)
    return say(details['telegram_chat'] === null ? 'noTelegramChat' : 'telegramChat')
  return details['handed_over'] === true ? say('handedOver') : null
}

type Item = Pick<HistoryItem, 'action' | 'details'>

/**
 * Details of an entry as text; empty when there is nothing to add.
 * @example detailsOf({ action: 'user_project_change', details: { name: 'Vic', from: 0, to: 1 } }, t) // 'Vic: Viewer → Editor'
 */
export function detailsOf(item: Item, t: Translate): string {
  const { action, details } = item
  if (!details) return ''
  if (action === 'encoder_refused') {
    const why = text(details, 'reason')
    return [text(details, 'network'), why && t(`history.refused.${why}`)].filter(Boolean).join(': ')
  }
  const name = moved(text(details, 'was'), text(details, 'name')) ?? text(details, 'plan') ?? text(details, 'email')
  const roleWords = moved(role(item, 'from', t), role(item, 'to', t)) ?? role(item, 'access_type', t)
  const project = text(details, 'project')
  const line = lineNames.find((one) => one === details['line'])
  const { minutes } = details
  const wait = typeof minutes === 'number' ? timeOf(minutes, t) : null
  const change = action === 'project_channel_change' ? channelChange(details, t) : null
  const about = project ?? (line ? t(`history.line.${line}`) : null)
  return [name && about ? `${name} (${about})` : (name ?? (line && about)), roleWords ?? change ?? wait]
    .filter(Boolean)
    .join(': ')
}

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
