// Plans between the columns of their tables and the fields that operators edit.
import type { LineName } from '#contract/entities/plan.ts'
import { flagFeatures } from '#contract/entities/plan-features.ts'
import { planFields } from '#contract/entities/plan-fields.ts'
import type { CatalogueRow, PlanValues } from './plans-store.ts'

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
