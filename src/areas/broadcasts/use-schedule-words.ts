// Schedules in words: rules, dates, zones.
import { useTranslation } from 'react-i18next'
import type { Schedule } from '#contract/areas/broadcasts/scheduler.ts'
import type { Language } from '#contract/core/wire.ts'
import { formatList, localeOf } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'

/** The time zone of the browser. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Short name of a weekday. @param day 1 Monday to 7 Sunday */
export const weekdayName = (day: number, language: Language): string =>
  // 1 January 2024 was a Monday.
  new Intl.DateTimeFormat(localeOf[language], { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

/** Weekday, date and time in a zone. @param seconds Unix time */
export const dateIn = (seconds: number, zone: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf[language], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).format(seconds * 1000)

/** Name of a zone with its distance from UTC at a moment: `Europe/Berlin, GMT+1`. @param seconds Unix time */
export function zoneName(zone: string, seconds: number, language: Language): string {
  const format = new Intl.DateTimeFormat(localeOf[language], { timeZone: zone, timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const name = zone.replaceAll('_', ' ')
  return offset === '' || zone === 'UTC' ? name : `${name}, ${offset}`
}

type Rule = Pick<Schedule, 'start_at' | 'repeat' | 'zone'>

/** Returns the rule of a schedule in words: its date, or its days with the time. */
export function useRuleText(): (schedule: Rule) => string {
  const { t } = useTranslation('schedule', { keyPrefix: 'rule' })
  const language = useLanguage()
  const { comma } = usePunctuation()
  return ({ start_at: start, repeat, zone }) => {
    const part = (options: Intl.DateTimeFormatOptions, seconds = start) =>
      new Intl.DateTimeFormat(localeOf[language], { ...options, timeZone: zone }).format(seconds * 1000)
    const ofZone = zone === ownZone() ? '' : ` (${zoneName(zone, start, language)})`
    if (!repeat) return dateIn(start, zone, language) + ofZone
    const { every, n, days = [], until, count } = repeat
    const names = days.map((day) => weekdayName(day, language))
    const chosen = every === 'week' && names.length > 0 ? t('days', { days: formatList(names, language) }) : ''
    const values = { day: part({ day: 'numeric' }) }
    const rule = (n === 1 ? t(`each.${every}`, values) : t(every, { count: n, ...values })) + chosen
    const end =
      until !== undefined
        ? t('until', { date: part({ dateStyle: 'medium' }, until) })
        : count !== undefined && t('count', { count })
    return [t('at', { rule, time: part({ timeStyle: 'short' }) }) + ofZone, end].filter(Boolean).join(comma)
  }
}
