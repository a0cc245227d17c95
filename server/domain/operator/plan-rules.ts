// Rules of edited plans: pure.
import type { LineName } from '#contract/entities/plan.ts'
import type { CatalogueRow, PlanValues } from './plans-store.ts'
import { flagFeatures } from '#contract/entities/plan-features.ts'
import { currencyCodes } from '#contract/entities/currencies.ts'
import { planFields } from '#contract/entities/plan-fields.ts'

// Plans between the columns of their tables and the fields that operators edit.

/** Columns that are 0 or 1 in the database and boolean outside. */
const flags: ReadonlySet<string> = new Set(['active', 'listed', ...flagFeatures])

/** Fields of a plan. */
export type PlanFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Returns the editable fields of a row. */
export const fieldsOf = (line: LineName, row: CatalogueRow): PlanFields =>
  Object.fromEntries(
    Object.keys(planFields[line].shape).map((name) => [name, flags.has(name) ? row[name] === 1 : (row[name] ?? null)]),
  )

/** Returns the columns of fields. Fields that were left out have none. */
export const valuesOf = (fields: PlanFields): PlanValues =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'boolean' ? Number(value) : value]],
    ),
  )

/** Columns of a new plan that no page edits. */
export const firstValues: Readonly<Record<LineName, PlanValues>> = {
  restream: {
    chat: 1,
    video: 0,
    change_subject: 1,
    background_chat: 1,
    dedicated_server: 0,
    personal_manager: null,
    custom_video: 0,
  },
  transcoding: {},
  storage: {},
}

const number = (value: string | number | null | undefined): number => Number(value ?? 0)

/** A range of steps from a minimum to a maximum: whole steps only. */
function isRange(min: string | number | null | undefined, max: unknown, step: unknown): boolean {
  const [low, high, by] = [number(min), Number(max), Number(step)]
  return by > 0 && low < high && (high - low) % by === 0
}

interface Broken {
  readonly field: string
  /** The rule that the plan breaks: `data.reason` of `PlanInvalid`. */
  readonly reason: 'free' | 'custom' | 'steps' | 'fixed'
}

/**
 * Returns the first field with a value that the line does not allow, and the rule that it breaks; null for a valid plan.
 * @param isKnown the plan exists: only then it may be the free one
 */
export function brokenField(line: LineName, plan: PlanValues, isKnown: boolean): Broken | null {
  const { type = null } = plan
  const free = type === 'free' ? brokenFree(line, plan, isKnown) : null
  if (free) return { field: free, reason: 'free' }
  if (type === 'custom' && plan['listed'] === 1) return { field: 'listed', reason: 'custom' }
  if (line === 'storage' && !isRange(plan['size_min'], plan['size_max'], plan['size_step']))
    return { field: 'size_step', reason: 'steps' }
  return line === 'restream' ? brokenRange(plan) : null
}

function brokenFree(line: LineName, plan: PlanValues, isKnown: boolean): string | null {
  if (!isKnown) return 'type'
  if (plan['active'] !== 1) return 'active'
  if (plan['listed'] !== 1) return 'listed'
  const prices = line === 'restream' ? currencyCodes.map((currency) => `price_${currency}`) : []
  return prices.find((name) => plan[name] !== 0) ?? null
}

/** Flexible plans have ranges of channels and bitrate; all others have neither. */
function brokenRange(plan: PlanValues): Broken | null {
  for (const name of ['channel', 'bitrate'] as const) {
    const [min, max, step] = [plan[`${name}_min`], plan[`${name}_max`], plan[`${name}_step`]]
    if (plan['type'] === 'paid_flex') {
      if (!isRange(min, max, step)) return { field: `${name}_step`, reason: 'steps' }
    } else if (step !== null || min !== null) return { field: `${name}_step`, reason: 'fixed' }
  }
  return null
}
