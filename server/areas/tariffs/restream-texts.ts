// Sentences and button labels of a quote, in the languages of the wire. Plan titles are names and are not translated.
import type { Language } from '#contract/core/wire.ts'
import type { Action } from '#server/domain/tariffs/subscriptions-rules.ts'

interface Texts {
  readonly button: Readonly<Record<Action, string>>
  /** A lower plan starts when the running one ends. */
  readonly later: (title: string, date: string) => string
  /** The same, replacing a queued plan. */
  readonly laterInstead: (title: string, date: string) => string
  /** An extension moves the queued plan. */
  readonly moved: (date: string) => string
}

export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    button: { new: 'Buy', prolongate: 'Extend', upgrade: 'Upgrade now', downgrade: 'Switch later' },
    later: (title, date) => `${title} starts on ${date}, when the current period ends.`,
    laterInstead: (title, date) =>
      `${title} starts on ${date}, when the current period ends. It replaces the plan queued now.`,
    moved: (date) => `The queued plan then starts on ${date}.`,
  },
  ru: {
    button: { new: 'Купить', prolongate: 'Продлить', upgrade: 'Перейти сейчас', downgrade: 'Перейти позже' },
    later: (title, date) => `Тариф ${title} начнёт действовать ${date}, когда закончится текущий период.`,
    laterInstead: (title, date) =>
      `Тариф ${title} начнёт действовать ${date}, когда закончится текущий период. Он заменит тариф, который сейчас стоит следующим.`,
    moved: (date) => `Следующий тариф сдвинется и начнёт действовать ${date}.`,
  },
  cn: {
    button: { new: '购买', prolongate: '续期', upgrade: '立即升级', downgrade: '到期后切换' },
    later: (title, date) => `${title} 套餐将在当前周期结束时（${date}）生效。`,
    laterInstead: (title, date) => `${title} 套餐将在当前周期结束时（${date}）生效，并取代目前已预订的套餐。`,
    moved: (date) => `已预订的套餐将顺延至 ${date} 生效。`,
  },
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }

/** Formats a date for a sentence, in UTC. */
export const day = (at: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
