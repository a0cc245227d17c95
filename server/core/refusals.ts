// Texts of refusals in the languages of the wire: sentences of errors, and of refused parameters.
import type { Language, ValidationError as Refused } from '#contract/core/wire.ts'
import cnFields from '#locales/cn/service/fields.json' with { type: 'json' }
import cnRefusals from '#locales/cn/service/refusals.json' with { type: 'json' }
import enFields from '#locales/en/service/fields.json' with { type: 'json' }
import enRefusals from '#locales/en/service/refusals.json' with { type: 'json' }
import ruFields from '#locales/ru/service/fields.json' with { type: 'json' }
import ruRefusals from '#locales/ru/service/refusals.json' with { type: 'json' }
import { fill } from './locale.ts'

const refusals: Readonly<Record<Language, typeof enRefusals>> = { en: enRefusals, ru: ruRefusals, cn: cnRefusals }
const fields: Readonly<Record<Language, typeof enFields>> = { en: enFields, ru: ruFields, cn: cnFields }

/** Values of a text. */
export type Values = Readonly<Record<string, unknown>>

/** Text of a refusal: the name of the error on the wire, and after `_` one of several causes. */
export type RefusalKey = keyof typeof enRefusals

/** Returns the sentence of a refusal. */
export const refusalText = (language: Language, key: RefusalKey, values: Values): string =>
  fill(refusals[language][key], values)

/** Text about a parameter that continues its name, with its values. */
export interface ParameterText {
  readonly text: keyof typeof enFields.parameter
  readonly values?: Values
}

/** A refused parameter; `sentence`: its text is a sentence of its own. */
export type Violation = {
  readonly property: string
  /** Name of the broken rule for programs. Default: that of the text. */
  readonly code?: string
} & (ParameterText | { readonly sentence: keyof typeof enFields.address })

const textOf = (language: Language, one: Violation): string =>
  'text' in one ? fill(fields[language].parameter[one.text], one.values ?? {}) : fields[language].address[one.sentence]

/** Returns refused parameters as the wire has them. */
export const refusedIn = (language: Language, violations: readonly Violation[]): Refused[] =>
  violations.map((one) => ({
    property: one.property,
    constraints: { [one.code ?? ('text' in one ? one.text : one.sentence)]: textOf(language, one) },
  }))

const problemsMax = 3

/** Joins the first violations into sentences: `project_id is missing. period must be one of month, year.` */
export function sentencesOf(language: Language, violations: readonly Violation[]): string {
  const { join } = fields[language]
  const all = violations.map((one) =>
    fill('text' in one ? join.parameter : join.sentence, { property: one.property, text: textOf(language, one) }),
  )
  const count = all.length - problemsMax
  const more = count > 0 ? [fill(join.more, { count })] : []
  return [...all.slice(0, problemsMax), ...more].join(' ')
}
