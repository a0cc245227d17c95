// Fields of the plan dialog, one row for each, and their conversion between text and values.
import { restreamFeatures } from '#contract/entities/plan-features.ts'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import { type Currency, currencyCodes } from '#contract/entities/currencies.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'

type Kind = 'text' | 'flag' | 'money' | 'whole'
type Value = string | number | boolean | null

export interface PlanField {
  /** Name on the wire. */
  readonly name: string
  /** Key of its label in `operator:plan.field`. Default: the name. */
  readonly label?: string
  /** Currency of a price, in its label. */
  readonly currency?: Currency
  /** Language of a name, in its label. */
  readonly language?: Language
  /** `money` in minor units on the wire, in units in the field. */
  readonly kind: Kind
  /** May be empty: null on the wire. */
  readonly isOptional?: true
  readonly choices?: readonly string[]
}

const field = (kind: Kind, ...names: string[]): PlanField[] => names.map((name) => ({ name, kind }))
const optional = (kind: Kind, ...names: string[]): PlanField[] =>
  names.map((name) => ({ name, kind, isOptional: true }))
const picture: readonly PlanField[] = [
  { name: 'resolution', kind: 'text', choices: ['720p', '1080p', '2K', 'UW', '4K', '8K'] },
  { name: 'fps', kind: 'text', choices: ['30', '60'] },
]
/** Fields of a price, one for each currency. */
const prices = (label: string, isOptional?: true): PlanField[] =>
  currencyCodes.map((currency) => ({
    name: `${label}_${currency}`,
    label,
    currency,
    kind: 'money',
    ...(isOptional && { isOptional }),
  }))
const first: readonly PlanField[] = [
  ...field('text', 'title'),
  ...languages.map((language) => ({
    name: `title_${language}`,
    label: 'titleIn',
    language,
    kind: 'text' as const,
    isOptional: true as const,
  })),
  ...prices('price', true),
]
const last = field('flag', 'listed')

/** Fields of flexible restream plans only. */
const flexible: ReadonlySet<string> = new Set([
  'channel_min',
  'channel_step',
  'channel_step_price',
  'bitrate_min',
  'bitrate_step',
  'bitrate_step_price',
])

/** Kinds of a new plan, which its fields depend on; a line without them has one. */
const kinds: Readonly<Partial<Record<LineName, readonly [string, ...string[]]>>> = {
  restream: ['paid_fix', 'paid_flex', 'custom'],
  transcoding: ['paid_month', 'custom'],
}

/** Returns the kinds of a new plan; null for a line that has one. */
export const kindsOf = (line: LineName): readonly string[] | null => kinds[line] ?? null

const lines: Readonly<Record<LineName, readonly PlanField[]>> = {
  restream: [
    ...first,
    ...field('whole', 'channel_min', 'channel_max', 'channel_step'),
    ...prices('channel_step_price'),
    ...field('whole', 'bitrate_min', 'bitrate_max', 'bitrate_step'),
    ...prices('bitrate_step_price'),
    ...restreamFeatures
      .filter(({ field: name }) => name !== 'channel_max' && name !== 'bitrate_max')
      // Every plan has the recording space of `RECORD_LIMIT`, so that its own may be empty.
      .flatMap(({ field: name, kind }) => (name === 'video_storage' ? optional(kind, name) : field(kind, name))),
    ...field('whole', 'pull_link_limit'),
    ...last,
  ],
  transcoding: [...first, ...picture, ...field('whole', 'count_max', 'weight'), ...last],
  storage: [...first, ...field('whole', 'size_min', 'size_max', 'size_step'), ...last],
}

/** Returns a plan of the list without the facts that no field has. */
export function factsRemoved(plan: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id: _, index: __, projects: ___, assigned: ____, ...rest } = plan
  return rest
}

/** Returns all fields of a line. */
export const allFieldsOf = (line: LineName): readonly PlanField[] => lines[line]

/** Returns the fields of a plan of a kind. */
export const fieldsOf = (line: LineName, type: unknown): readonly PlanField[] =>
  lines[line].filter(({ name, label = name }) => {
    // Plans for chosen projects are never in the public catalogue.
    if (name === 'listed') return type !== 'custom'
    return type === 'paid_flex' || !flexible.has(label)
  })

/** Returns the values of the fields of a plan; undefined for a text that is not valid. @param plan values of other fields */
export function planOf(
  line: LineName,
  plan: Readonly<Record<string, unknown>>,
  draft: Draft,
  isNew: boolean,
): Readonly<Record<string, unknown>> {
  const type = (isNew && draft['type']) || plan['type']
  const shown = fieldsOf(line, type)
  const hidden = lines[line].filter((one) => !shown.includes(one))
  return {
    ...plan,
    ...(type !== undefined && { type }),
    // Plans of other kinds have no range.
    ...Object.fromEntries(hidden.map(({ name, kind }) => [name, kind === 'whole' ? null : (plan[name] ?? 0)])),
    ...Object.fromEntries(shown.map((one) => [one.name, valueOf(one, draft[one.name])])),
    ...(type === 'custom' && { listed: false }),
  }
}

export type Draft = Readonly<Record<string, string | boolean>>

/** Returns the texts of a plan for the fields. */
export const draftOf = (fields: readonly PlanField[], plan: Readonly<Record<string, unknown>>): Draft =>
  Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = plan[name]
      if (kind === 'flag') return [name, value === true]
      if (value === null || value === undefined) return [name, '']
      return [name, kind === 'money' ? moneyText(Number(value)) : String(value as string | number)]
    }),
  )

/** Returns the value of a field; undefined when the text is not valid. */
function valueOf({ kind, isOptional }: PlanField, text: string | boolean | undefined): Value | undefined {
  if (typeof text === 'boolean') return text
  const given = (text ?? '').trim()
  if (given === '') return isOptional ? null : undefined
  if (kind === 'text') return given.length <= 60 ? given : undefined
  if (kind === 'whole') return /^\d{1,9}$/.test(given) ? Number(given) : undefined
  const amount = parseMoney(given)
  return amount === null || amount < 0 ? undefined : amount
}
