// Marks between parts of a text, by language: Chinese has full-width ones without spaces.
import type { Language } from '#contract/core/wire.ts'

/** Marks of a language. */
export interface Marks {
  /** Between a label and its value. */
  readonly colon: string
  /** Between two sentences without final marks. */
  readonly stop: string
  /** Between two sentences with final marks. */
  readonly gap: string
  /** Between the names of a list. */
  readonly list: string
  /** Between the parts of a statement. */
  readonly comma: string
}

const western: Marks = { colon: ': ', stop: '. ', gap: ' ', list: ', ', comma: ', ' }
/** The marks of each language. */
export const marks: Readonly<Record<Language, Marks>> = {
  en: western,
  ru: western,
  cn: { colon: '：', stop: '。', gap: '', list: '、', comma: '，' },
}
