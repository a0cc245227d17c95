// Fields of the plan dialog, one row for each, and their conversion between text and values.
import type { LineName } from '#contract/entities/plan.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'

type Kind = 'text' | 'flag' | 'money' | 'whole'
type Value = string | number | boolean | null

export interface PlanField {
  /** Name on the wire, and key of its label in `operator:plan.field`. */
  readonly name: string
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
const first: readonly PlanField[] = [...field('text', 'title'), ...optional('money', 'price_usd', 'price_rub')]
const last = field('flag', 'active', 'listed')

/** Fields of flexible restream plans only. */
const flexible: ReadonlySet<string> = new Set([
  'channel_min',
  'channel_step',
  'channel_step_price_usd',
  'channel_step_price_rub',
  'bitrate_min',
  'bitrate_step',
  'bitrate_step_price_usd',
  'bitrate_step_price_rub',
])

const lines: Readonly<Record<LineName, readonly PlanField[]>> = {
  restream: [
    ...first,
    ...optional('whole', 'channel_min'),
    ...field('whole', 'channel_max'),
    ...optional('whole', 'channel_step'),
    ...field('money', 'channel_step_price_usd', 'channel_step_price_rub'),
    ...optional('whole', 'bitrate_min'),
    ...field('whole', 'bitrate_max'),
    ...optional('whole', 'bitrate_step'),
    ...field('money', 'bitrate_step_price_usd', 'bitrate_step_price_rub'),
    ...picture,
    ...optional('whole', 'video_storage'),
    ...field('whole', 'pull_link_limit'),
    ...field('flag', 'support_custom_channel', 'create_projects'),
    ...last,
  ],
  transcoding: [...first, ...picture, ...field('whole', 'count_max', 'weight'), ...last],
  storage: [...first, ...field('whole', 'size_min', 'size_max', 'size_step'), ...last],
}

/** Returns the fields of a plan. */
export const fieldsOf = (line: LineName, type: Value | undefined): readonly PlanField[] =>
  lines[line].filter(({ name }) => type === 'paid_flex' || !flexible.has(name))

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
export function valueOf({ kind, isOptional }: PlanField, text: string | boolean | undefined): Value | undefined {
  if (typeof text === 'boolean') return text
  const given = (text ?? '').trim()
  if (given === '') return isOptional ? null : undefined
  if (kind === 'text') return given.length <= 60 ? given : undefined
  if (kind === 'whole') return /^\d{1,9}$/.test(given) ? Number(given) : undefined
  const amount = parseMoney(given)
  return amount === null || amount < 0 ? undefined : amount
}
