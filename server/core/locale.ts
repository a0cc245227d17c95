// Texts in the languages of the wire: values filled in, dates written as the language does. The texts stand in `locales/`.
import type { Language } from '#contract/core/wire.ts'

const tags: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }

/** Replaces each `{{name}}` by its value; one without a value stays. @example fill('{{count}} more', { count: 2 }) */
export const fill = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : place
  })

/** Formats a date in UTC. */
export const day = (language: Language, date: string): string =>
  new Intl.DateTimeFormat(tags[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))

/** Formats a date and its time in UTC. */
export const minute = (language: Language, date: string): string =>
  `${new Intl.DateTimeFormat(tags[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(date))} UTC`

/** Formats bytes in gigabytes. */
export const gigabytes = (language: Language, bytes: number): string =>
  new Intl.NumberFormat(tags[language], { maximumFractionDigits: 1 }).format(bytes / 1_000_000_000)
