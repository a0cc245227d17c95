// Compares real responses with the published response of their operation.
import type { Operation } from './core/operation.ts'
import { currencyCodes, usualCurrency } from './entities/currencies.ts'
import { exceptions } from './published-exceptions.ts'
import { type Facts, factsOf, type Field, fieldOf } from './published-facts.ts'

/**
 * Returns deviations of a response from the published one, as `path: value found`; of a choice the value. Paths have no
 * list positions, and each deviation is listed once. The inside of a missing or wrong field is not compared.
 * @example deviations({ results: [{ photo: null }] }, facts) // ['results[].photo: null, not string']
 */
export function deviations(body: unknown, { answer = [] }: Facts): string[] {
  const found = answer.map(fieldOf).flatMap((field) => {
    const names = field.path.split('.')
    return holdersOf(body, names.slice(0, -1)).flatMap((holder) => problemsOf(field, holder, names.at(-1) ?? ''))
  })
  return [...new Set(found)]
}

/** Returns the deviations of a response without the exceptions. */
export function unlisted(op: Operation, body: unknown): string[] {
  const facts = factsOf(op)
  return facts ? deviations(body, facts).filter((deviation) => exceptionOf(op, deviation) === undefined) : []
}

/** Returns the exception that covers a deviation, in the spelling of `exceptions`. */
export const exceptionOf = ({ id }: Operation, deviation: string): string | undefined =>
  Object.keys(exceptions[id] ?? {}).find((name) =>
    name.endsWith('*') ? deviation.startsWith(name.slice(0, -1)) : deviation === name,
  )

/** Returns the objects at a path, through lists. */
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

/** A choice of currencies is open: an installation may take other ones than the published service. */
const isOneOf = (choice: readonly string[], value: string): boolean =>
  choice.includes(value) || (choice.includes(usualCurrency) && currencyCodes.some((code) => code === value))

function wrong({ path, type, choice }: Field, value: unknown): string[] {
  if (choice) return isOneOf(choice, String(value)) ? [] : [`${path}: ${String(value)}`]
  if (type === 'any') return []
  const is = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
  if (type === 'date') return instant.test(String(value)) ? [] : [`${path}: ${is}, not date-time`]
  return is === type ? [] : [`${path}: ${is}, not ${type}`]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns lists and objects of the published response that have content in a real one: only these are compared. */
export const filled = (body: unknown, facts: Facts): string[] =>
  containersOf(facts).filter((path) =>
    holdersOf({ body }, `body.${path}`.split('.')).some((one) => (one ?? null) !== null),
  )

/** Returns lists and objects of the published response. */
export const containersOf = ({ answer = [] }: Facts): string[] =>
  answer
    .map(fieldOf)
    .filter(({ path, type }) => type === 'object' || path.endsWith('[]'))
    .map(({ path }) => path)
