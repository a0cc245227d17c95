// Limits of fields, read from the contract: what a form allows is what the service takes.
import type { Schema } from '#contract/core/operation.ts'

interface Def {
  readonly type: string
  readonly innerType?: Schema
  readonly entries?: Readonly<Record<string, string>>
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check: string; readonly maximum?: number } }
  }[]
}

const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def

/** The schema below `optional`. */
const bare = (schema: Schema): Schema => {
  const def = defOf(schema)
  return def.type === 'optional' && def.innerType ? bare(def.innerType) : schema
}

/** May the field be left out? */
export const isOptional = (schema: Schema): boolean => defOf(schema).type === 'optional'

/** The longest text, or the most entries. @throws for a field without a limit, which is a fault of ours */
export function maxOf(schema: Schema): number {
  const checks = defOf(bare(schema)).checks ?? []
  const maximum = checks.map(({ _zod: { def } }) => def).find(({ check }) => check === 'max_length')?.maximum
  if (maximum === undefined) throw new Error('The field has no limit')
  return maximum
}

/** The words of a field that takes one of a few; null for any other. */
export function wordsOf(schema: Schema): readonly string[] | null {
  const def = defOf(bare(schema))
  return def.type === 'enum' ? Object.values(def.entries ?? {}) : null
}
