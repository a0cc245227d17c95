// Texts of notifications in the languages of the wire, made from kind and parameters when they are read or sent.
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { NotifyText } from '#contract/entities/notification.ts'
import { type CreatedKind, kindOf } from './kinds.ts'
import { cn } from './texts-cn.ts'
import { en } from './texts-en.ts'
import { ru } from './texts-ru.ts'
import type { TitleAndText, Texts } from './texts-types.ts'

const all: Readonly<Record<Language, Texts>> = { en, ru, cn }

/** Returns the texts of a language. */
export const textsIn = (language: Language): Texts => all[language]

/** A stored notification, as far as its texts need it. */
export interface TextSource {
  readonly kind: string
  /** JSON. */
  readonly params: string
}

/** Returns title and text in one language. A kind of another release has its name as title. */
export function textOf({ kind, params }: TextSource, language: Language): TitleAndText {
  if (!kindOf(kind)) return [kind, '']
  const write = all[language].kinds[kind as CreatedKind] as (values: unknown) => TitleAndText
  return write(JSON.parse(params))
}

const published = { en: 'english', ru: 'russian', cn: 'none' } as const

/** Returns the texts in all languages, as the wire has them. */
export const textsOf = (row: TextSource): NotifyText[] =>
  languages.map((language) => {
    const [title, text] = textOf(row, language)
    return { language: published[language], language_iso: language, title, text }
  })

/** Returns texts of an action in all languages, as the wire has them. */
export const actionTexts = (of: (texts: Texts) => readonly [title: string, done: string]) =>
  languages.map((language) => {
    const [title, done] = of(all[language])
    return { language: published[language], language_iso: language, title, complited_title: done }
  })
