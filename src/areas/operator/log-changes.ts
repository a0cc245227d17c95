// Entries of the operator's log: the changed fields, and the name of what was changed.
import type { OperatorLogEntry } from '#contract/areas/operator/customers.ts'

type Entry = Pick<OperatorLogEntry, 'before' | 'after'>

/** A changed field. Values as text; null: there was or is none. */
export interface LogChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/**
 * Returns the changed fields of an entry; of something new or removed, the fields that have a value. A field that only one
 * of two states has is not part of the change: `before` may be a row, and `after` the fields of a form.
 */
export function changesOf(entry: Entry): readonly LogChange[] {
  const [before, after] = [stateOf(entry.before), stateOf(entry.after)]
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const isChange = entry.before !== null && entry.after !== null
  return fields
    .filter((field) => !isChange || (field in before && field in after))
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter((change) => change.before !== change.after)
}

/** Returns the title, name or code of what was changed; undefined where it has none. */
export function nameOf({ before, after }: Entry): string | undefined {
  const state = { ...stateOf(before), ...stateOf(after) }
  return [state['title'], state['name'], state['code']].find((value) => typeof value === 'string')
}

/** A state is stored as JSON; one that is no object has a single field without a name. */
function stateOf(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { '': value }
  } catch {
    return { '': text }
  }
}

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)
