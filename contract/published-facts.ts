// Facts of the two published descriptions (snapshots of 2025-06 and 2025-11), one row per operation, in published.json.
import type { Operation } from './core/operation.ts'
import published from './published.json' with { type: 'json' }

/** Facts about one operation, from the latest snapshot that has it. */
export interface Facts {
  /** Snapshot of these facts. */
  readonly seen: string
  /** Statuses of success. */
  readonly status: readonly number[]
  /** `name`, `name?` when optional, `=a|b` for a choice. Without `v` and `language`. */
  readonly parameters: readonly string[]
  readonly v?: readonly string[]
  /** `v` and `language`, where a POST or PUT has them in the query. */
  readonly commonInQuery?: readonly string[]
  /** Required parameters of the earlier snapshot, if it requires fewer than the later one. */
  readonly earlier?: readonly string[]
  /**
   * Fields of the response: `name:type` or `name=a|b`, then `|null` when null is allowed; `name?` when optional. `a.b` is
   * inside `a`, `a[]` is a list, and its type that of an item. An empty name is the whole response.
   */
  readonly answer?: readonly string[]
}

/** One field of a published response. */
export interface Field {
  /** Names from the top; `[]` after a list. */
  readonly path: string
  readonly optional: boolean
  readonly nullable: boolean
  /** `any`, `object`, `string`, `number`, `boolean`, or `date`: an ISO 8601 date-time. */
  readonly type: string
  /** Allowed values, as text. */
  readonly choice: readonly string[] | null
}

const rows: Readonly<Record<string, Facts>> = published

/** Facts about an operation; undefined where neither snapshot has it. */
export const factsOf = (op: Operation): Facts | undefined => rows[`${op.method} ${op.path.replace('/method/', '')}`]

/** Parses one entry of `Facts.answer`. @throws Error for an entry in another notation */
export function fieldOf(entry: string): Field {
  const [, path = '', optional, sign, value = '', nullable] =
    /^([^?:=]*)(\?)?([:=])(.+?)(\|null)?$/.exec(entry) ?? misread(entry)
  return {
    path,
    optional: optional !== undefined,
    nullable: nullable !== undefined,
    type: sign === ':' ? value : 'any',
    choice: sign === ':' ? null : value.split('|'),
  }
}

function misread(entry: string): never {
  throw new Error(`'${entry}' is not in the notation of published.json`)
}

/** Names of the parameters that each snapshot requires, oldest last. */
export const requiredBy = ({ parameters, earlier }: Facts): readonly (readonly string[])[] => [
  parameters.filter((entry) => !/\?(=|$)/.test(entry)).map((entry) => entry.replace(/=.*/, '')),
  ...(earlier ? [earlier] : []),
]
