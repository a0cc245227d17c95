// JSON Schema as readable text: types with limits, and the shape of a response.
import type { JsonSchema } from '#contract/core/describe.ts'

/** Limit of a value; label at `reference:limit.<kind>`. */
export interface Limit {
  readonly kind: 'min' | 'above' | 'max' | 'below' | 'minLength' | 'maxLength' | 'default'
  readonly value: string
}

const limits = {
  minimum: 'min',
  exclusiveMinimum: 'above',
  maximum: 'max',
  exclusiveMaximum: 'below',
  minLength: 'minLength',
  maxLength: 'maxLength',
  default: 'default',
} as const satisfies Record<string, Limit['kind']>

/** Limits of a schema, in the order of `limits`. */
export const limitsOf = (schema: JsonSchema): Limit[] =>
  Object.entries(limits).flatMap(([keyword, kind]) =>
    schema[keyword] === undefined || schema[keyword] === '' ? [] : [{ kind, value: wordOf(schema[keyword]) }],
  )

/** Default or limit as text. */
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Type of a value as text: `integer`, `"month" | "year"`, `string | null`.
 * @param depth nesting level, for the indentation of multi-line shapes
 */
export function shapeOf(schema: JsonSchema, depth = 0): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const either = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined
  if (either) return [...new Set(either.map((one) => shapeOf(one, depth)))].join(' | ')
  if (schema.type === 'array') return arrayOf(schema.items ?? {}, depth)
  if (schema.type === 'object') return objectOf(schema, depth)
  if (schema.type === undefined) return 'any'
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  return types.map((type) => (type === 'string' ? stringOf(schema) : type)).join(' | ')
}

const stringOf = ({ format }: JsonSchema): string => {
  if (format === 'date-time') return 'ISO 8601 UTC'
  return format === 'binary' ? 'file' : 'string'
}

const arrayOf = (items: JsonSchema, depth: number): string => {
  const inner = shapeOf(items, depth)
  return inner.includes(' | ') && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`
}

function objectOf({ properties, required, additionalProperties }: JsonSchema, depth: number): string {
  const names = Object.entries(properties ?? {})
  if (names.length === 0) return additionalProperties ? '{ [name]: any }' : '{ }'
  const indent = '  '.repeat(depth + 1)
  const lines = names.map(
    ([name, schema]) => `${indent}${name}${required?.includes(name) ? '' : '?'}: ${shapeOf(schema, depth + 1)}`,
  )
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}
