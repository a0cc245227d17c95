// Compares real responses with the published response of their operation.
import type { Operation } from './core/operation.ts'
import { exceptions } from './published-exceptions.ts'
import { type Facts, factsOf, type Field, fieldOf } from './published-facts.ts'

/**
 * Deviations of a response from the published one, as `path: value found`; of a choice the value. Positions in lists are left out of the
 * path, and each deviation is named once. What is inside a missing or wrong field is not looked at.
 * @example deviations({ results: [{ photo: null }] }, facts) // ['results[].photo: null, not string']
 */
export function deviations(body: unknown, { answer = [] }: Facts): string[] {
  const found = answer.map(fieldOf).flatMap((field) => {
    const names = field.path.split('.')
    return holdersOf(body, names.slice(0, -1)).flatMap((holder) => problemsOf(field, holder, names.at(-1) ?? ''))
  })
  return [...new Set(found)]
}

/** Deviations of a response that are no exceptions. */
export function unlisted(op: Operation, body: unknown): string[] {
  const facts = factsOf(op)
  return facts ? deviations(body, facts).filter((deviation) => exceptionOf(op, deviation) === undefined) : []
}

/** The exception that covers a deviation, as `exceptions` spells it. */
export const exceptionOf = ({ id }: Operation, deviation: string): string | undefined =>
  Object.keys(exceptions[id] ?? {}).find((name) =>
    name.endsWith('*') ? deviation.startsWith(name.slice(0, -1)) : deviation === name,
  )

/** The objects that a path leads to, through lists. */
function holdersOf(body: unknown, names: readonly string[]): unknown[] {
  let holders = [body]
  for (const name of names) {
    holders = holders.filter(isObject).flatMap((one) => {
      const value = one[name.replace('[]', '')]
      return name.endsWith('[]') ? (Array.isArray(value) ? value : []) : [value]
    })
  }
  return holders
}

function problemsOf(field: Field, holder: unknown, name: string): string[] {
  if (field.path === '') return wrong(field, holder)
  if (!isObject(holder)) return []
  const key = name.replace('[]', '')
  const value = holder[key]
  if (value === undefined) return field.optional ? [] : [`${field.path}: missing`]
  if (value === null && field.nullable) return []
  if (!name.endsWith('[]')) return wrong(field, value)
  return Array.isArray(value) ? value.flatMap((item) => wrong(field, item)) : [`${field.path}: no list`]
}

/** An instant as ISO 8601, with its offset. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function wrong({ path, type, choice }: Field, value: unknown): string[] {
  if (choice) return choice.includes(String(value)) ? [] : [`${path}: ${String(value)}`]
  if (type === 'any') return []
  const is = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
  if (type === 'date') return instant.test(String(value)) ? [] : [`${path}: ${is}, not date-time`]
  return is === type ? [] : [`${path}: ${is}, not ${type}`]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists and objects of the published response that a real one has something in: only there are their fields compared. */
export const filled = (body: unknown, facts: Facts): string[] =>
  containersOf(facts).filter((path) =>
    holdersOf({ body }, `body.${path}`.split('.')).some((one) => (one ?? null) !== null),
  )

/** Lists and objects of the published response. */
export const containersOf = ({ answer = [] }: Facts): string[] =>
  answer
    .map(fieldOf)
    .filter(({ path, type }) => type === 'object' || path.endsWith('[]'))
    .map(({ path }) => path)
