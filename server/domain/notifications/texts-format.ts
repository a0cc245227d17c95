// Dates, sizes and names in texts of notifications.
import type { Language } from '#contract/core/wire.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }
const longest = 80

/** Formats a date in UTC. */
export const day = (language: Language, date: string): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

/** Formats a date and its time in UTC. */
export const minute = (language: Language, date: string): string =>
  `${new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(date))} UTC`

/** Formats bytes in gigabytes. */
export const gigabytes = (language: Language, bytes: number): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 }).format(bytes / 1_000_000_000)

/** Makes a name of a user or of a platform one harmless line: mail and chat programs turn addresses into links. */
export const plain = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/[./:@\\]+(?=\S)/g, ' ')
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .slice(0, longest)
    .toWellFormed()
    .trim()

/** Joins names; beyond five the number of the others. @example list(['a', 'b'], (n) => `${n} more`) */
export function list(names: readonly string[], more: (count: number) => string, comma = ', '): string {
  const shown = names.slice(0, 5).map(plain)
  return [...shown, ...(names.length > shown.length ? [more(names.length - shown.length)] : [])].join(comma)
}
