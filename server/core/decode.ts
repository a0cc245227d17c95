// Decoders of query strings and form fields, built once per operation.
import { type JsonSchema, jsonSchema } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'

type Raw = Readonly<Record<string, unknown>>
type Reader = (value: unknown) => unknown

/**
 * Creates the decoder of an operation whose parameters are text (query string, form fields). Text that does not parse as
 * the expected type stays text, so that the schema rejects it by name. A repeated parameter stays a list, which the schema
 * rejects where it expects a single value.
 */
export function textDecoder(op: Operation): (raw: Raw) => Raw {
  const properties = Object.entries(jsonSchema(op.input, 'input').properties ?? {})
  const readers = properties.map(([name, schema]) => [name, readerFor(schema)] as const)
  return function decode(raw) {
    const decoded: Record<string, unknown> = {}
    for (const [name, read] of readers) if (Object.hasOwn(raw, name)) decoded[name] = read(raw[name])
    return decoded
  }
}

const decimal = /^-?\d{1,16}(\.\d{1,16})?$/
const number: Reader = (value) => (typeof value === 'string' && decimal.test(value) ? Number(value) : value)

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
const boolean: Reader = (value) => booleans.get(value) ?? value

function readerFor(schema: JsonSchema): Reader {
  const type = schema.type ?? typeof (schema.enum?.[0] ?? schema['const'])
  if (type === 'integer' || type === 'number') return number
  if (type === 'boolean') return boolean
  if (type !== 'array') return (value) => value
  const item = readerFor(schema.items ?? {})
  return (value) => (Array.isArray(value) ? value : [value]).map(item)
}
