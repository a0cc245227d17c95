// Formats for money, dates and bitrates in the wire's languages, all by `Intl`.
import type { Language } from '#contract/core/wire.ts'
import type { Currency } from '#contract/entities/project.ts'

/** Milliseconds of a day. */
export const dayMs = 86_400_000

export const hourMs = 3_600_000
const minuteMs = 60_000

/** The wire's languages as `Intl` tags. English is the international one: day before month, 24 hours. */
export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru', cn: 'zh-Hans' }

/**
 * An amount of money from minor units (kopecks, cents).
 * @param currency null when no response has named it: only the number is shown
 * @example formatMoney(39_000, 'rub', 'ru') // '390,00 ₽'
 */
export const formatMoney = (amountMinor: number, currency: Currency | null, language: Language): string =>
  (currency === null ? numberFormat(language, 'plain') : moneyFormat(language, currency)).format(amountMinor / 100)

/** The name of a currency as a label: `US Dollar`, `Доллар США`. */
export function currencyName(currency: Currency, language: Language): string {
  const make = () => new Intl.DisplayNames(localeOf[language], { type: 'currency' })
  const name = once(`currencies ${language}`, make).of(currency.toUpperCase()) ?? currency
  return name.charAt(0).toLocaleUpperCase(localeOf[language]) + name.slice(1)
}

/**
 * An amount of money in any currency, by its code and with its decimals.
 * @param hundredths also of a currency without decimals
 * @example formatForeignMoney(100_000, 'jpy', 'en') // 'JPY 1,000'
 */
export function formatForeignMoney(hundredths: number, currency: string, language: Language): string {
  // Providers may report no currency.
  if (!/^[a-z]{3}$/i.test(currency)) return formatMoney(hundredths, null, language)
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const
  const format = once(`foreign ${currency} ${language}`, () => new Intl.NumberFormat(localeOf[language], style))
  return format.format(hundredths / 100)
}

/** A whole number with the grouping of the language. */
export const formatNumber = (value: number, language: Language): string =>
  numberFormat(language, 'number').format(value)

/** Percent, from a number of percent: `formatPercent(10, 'ru')` is `10 %`. */
export const formatPercent = (percent: number, language: Language): string =>
  numberFormat(language, 'percent').format(percent / 100)

// A word joiner keeps the line from breaking after the slash.
const kbps: Readonly<Record<Language, string>> = { en: 'kbps', ru: 'кбит/\u2060с', cn: 'kbps' }

/** A bitrate in kbps, the unit of the wire. 0 stays 0: the API gives it no other meaning. */
export const formatBitrate = (bitrateKbps: number, language: Language): string =>
  `${formatNumber(bitrateKbps, language)}\u00A0${kbps[language]}`

/** A period of minutes in words; whole hours as hours: `formatMinutes(720, 'en')` is `12 hours`. */
export function formatMinutes(minutes: number, language: Language): string {
  const isHours = minutes >= 60 && minutes % 60 === 0
  return numberFormat(language, isHours ? 'hours' : 'minutes').format(isHours ? minutes / 60 : minutes)
}

/** Local date and time, to the minute. */
export const formatDateTime = (iso: string, language: Language): string =>
  once(
    `time ${language}`,
    () => new Intl.DateTimeFormat(localeOf[language], { dateStyle: 'medium', timeStyle: 'short' }),
  ).format(new Date(iso))

/** Local time to the second, for moments that are seldom older than a day. */
export const formatTime = (at: string | number, language: Language): string =>
  once(`seconds ${language}`, () => new Intl.DateTimeFormat(localeOf[language], { timeStyle: 'medium' })).format(
    new Date(at),
  )

/** Month of a year. @param month year and month, for example 2026-11 */
export const formatMonth = (month: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(month),
  )

/** Local date without the time. */
export const formatDate = (iso: string, language: Language): string =>
  once(`date ${language}`, () => new Intl.DateTimeFormat(localeOf[language], { dateStyle: 'medium' })).format(
    new Date(iso),
  )

/** The exact moment in UTC, the same in every language: `2026-12-21 06:00:00 UTC`; milliseconds only when not zero. */
export const formatUtc = (iso: string): string =>
  `${new Date(iso).toISOString().replace('T', ' ').replace('.000', '').replace('Z', '')} UTC`

/**
 * Distance from now in the largest useful unit: `in 12 days`, `3 hours ago`.
 * @param now milliseconds since 1970
 */
export function formatRelative(iso: string, now: number, language: Language): string {
  const [value, unit] = distance(Date.parse(iso) - now)
  // Only "now" is written as a word: "tomorrow" would depend on the local midnight.
  const numeric = value === 0 ? 'auto' : 'always'
  return once(
    `relative ${numeric} ${language}`,
    () => new Intl.RelativeTimeFormat(localeOf[language], { numeric }),
  ).format(value, unit)
}

function distance(difference: number): [number, 'second' | 'minute' | 'hour' | 'day' | 'month'] {
  const size = Math.abs(difference)
  if (size >= 60 * dayMs) return [Math.round(difference / (30.4375 * dayMs)), 'month']
  if (size >= dayMs) return [Math.round(difference / dayMs), 'day']
  if (size >= hourMs) return [Math.round(difference / hourMs), 'hour']
  if (size >= minuteMs / 2) return [Math.round(difference / minuteMs), 'minute']
  return [0, 'second']
}

const styles = {
  number: { maximumFractionDigits: 3 },
  percent: { style: 'percent', maximumFractionDigits: 1 },
  hours: { style: 'unit', unit: 'hour', unitDisplay: 'long' },
  minutes: { style: 'unit', unit: 'minute', unitDisplay: 'long' },
  plain: { minimumFractionDigits: 2, maximumFractionDigits: 2 },
} as const satisfies Record<string, Intl.NumberFormatOptions>

/** Names in a sentence: `A, B and C`. */
export const formatList = (names: readonly string[], language: Language): string =>
  once(`list ${language}`, () => new Intl.ListFormat(localeOf[language])).format(names)

const numberFormat = (language: Language, style: keyof typeof styles) =>
  once(`${style} ${language}`, () => new Intl.NumberFormat(localeOf[language], styles[style]))

const moneyFormat = (language: Language, currency: Currency) => {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  return once(`${currency} ${language}`, () => new Intl.NumberFormat(localeOf[language], style))
}

const made = new Map<string, unknown>()

/** Cached formatters: they are costly to create and used on every render. */
function once<T>(key: string, make: () => T): T {
  if (!made.has(key)) made.set(key, make())
  return made.get(key) as T
}
