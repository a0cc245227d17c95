// Field limits read from the contract, so that forms and the service agree.
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

/** Unwraps `optional`. */
const bare = (schema: Schema): Schema => {
  const def = defOf(schema)
  return def.type === 'optional' && def.innerType ? bare(def.innerType) : schema
}

/** Returns whether the field is optional. */
export const isOptional = (schema: Schema): boolean => defOf(schema).type === 'optional'

/** Maximum text length or number of entries. @throws for a field without a limit, which is a programming error */
export function maxOf(schema: Schema): number {
  const checks = defOf(bare(schema)).checks ?? []
  const maximum = checks.map(({ _zod: { def } }) => def).find(({ check }) => check === 'max_length')?.maximum
  if (maximum === undefined) throw new Error('The field has no maximum')
  return maximum
}

/** Allowed values of an enum field; null for any other field. */
export function wordsOf(schema: Schema): readonly string[] | null {
  const def = defOf(bare(schema))
  return def.type === 'enum' ? Object.values(def.entries ?? {}) : null
}
