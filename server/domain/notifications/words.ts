// Texts of notifications in the languages of the wire, made from kind and parameters when they are read or sent.
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { NotifyText } from '#contract/entities/notification.ts'
import { type CreatedKind, kindOf, type KindParams } from './kinds.ts'
import { cn } from './words-cn.ts'
import { en } from './words-en.ts'
import { ru } from './words-ru.ts'

/** Title and text. */
export type TitleAndText = readonly [title: string, text: string]

/** Texts of one language. */
export interface Words {
  readonly kinds: { readonly [K in CreatedKind]: (params: KindParams[K]) => TitleAndText }
  /** Title of one message about several notifications. */
  readonly more: (count: number) => string
  readonly accept: readonly [title: string, done: string]
  readonly decline: readonly [title: string, done: string]
  /** Label of the link of a notification. */
  readonly open: string
  /** Line below e-mails. @param url page of the settings */
  readonly settings: (url: string) => string
  readonly telegram: Readonly<Record<'linked' | 'expired' | 'stopped' | 'unknown', (name: string) => string>>
}

const all: Readonly<Record<Language, Words>> = { en, ru, cn }

/** Returns the texts of a language. */
export const wordsIn = (language: Language): Words => all[language]

/** A stored notification, as far as its texts need it. */
export interface Worded {
  readonly kind: string
  /** JSON. */
  readonly params: string
}

/** Returns title and text in one language. A kind of another release has its name as title. */
export function textOf({ kind, params }: Worded, language: Language): TitleAndText {
  if (!kindOf(kind)) return [kind, '']
  const write = all[language].kinds[kind as CreatedKind] as (values: unknown) => TitleAndText
  return write(JSON.parse(params))
}

const published = { en: 'english', ru: 'russian', cn: 'none' } as const

/** Returns the texts in all languages, as the wire has them. */
export const textsOf = (row: Worded): NotifyText[] =>
  languages.map((language) => {
    const [title, text] = textOf(row, language)
    return { language: published[language], language_iso: language, title, text }
  })

/** Returns texts of an action in all languages, as the wire has them. */
export const actionTexts = (of: (words: Words) => readonly [title: string, done: string]) =>
  languages.map((language) => {
    const [title, done] = of(all[language])
    return { language: published[language], language_iso: language, title, complited_title: done }
  })
