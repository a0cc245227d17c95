// Describes operations in JSON Schema, for the OpenAPI document and the reference pages.
import * as z from 'zod/mini'
import { type Common, type Operation, type Schema } from './operation.ts'
import { languages } from './codes.ts'
import { acceptedVersions } from './wire.ts'

/** JSON Schema (draft 2020-12), as far as the project reads it. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly [keyword: string]: unknown
}

/** Documentation of one parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'body' | 'path'
  readonly required: boolean
  readonly schema: JsonSchema
  /** Unit or meaning where the name does not say it. */
  readonly note?: string
}

/** Documentation of the input and output of an operation. */
export interface Description {
  readonly parameters: readonly Parameter[]
  /** Schema of the body. Absent for operations without one. */
  readonly body?: JsonSchema
  readonly answer: JsonSchema
}

/**
 * Describes an operation: its own parameters and the common ones it carries (`v`, `language`).
 * @example describe(restream.check).parameters.map((parameter) => parameter.name)
 */
export function describe(op: Operation): Description {
  const own = jsonSchema(op.input, 'input')
  const input: JsonSchema = {
    ...own,
    properties: { ...commonOf(op), ...own.properties },
    required: [...commonInBody(op), ...(own.required ?? [])],
  }
  const placeOf = (name: string): Parameter['in'] => {
    if (op.path.includes(`{${name}}`)) return 'path'
    return op.placement === 'query' || op.inQuery.includes(name) ? 'query' : 'body'
  }
  const parameters = Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    in: placeOf(name),
    required: input.required?.includes(name) ?? false,
    schema,
    ...(op.notes[name] === undefined ? {} : { note: op.notes[name] }),
  }))
  return {
    parameters,
    ...(parameters.some((parameter) => parameter.in === 'body') ? { body: withoutEmpty(inBody(op, input)) } : {}),
    answer: jsonSchema(op.output, 'output'),
  }
}

const inBody = ({ inQuery }: Operation, { properties, required, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => !inQuery.includes(name))),
  required: (required ?? []).filter((name) => !inQuery.includes(name)),
})

/**
 * Converts a schema of the contract to JSON Schema, without bounds that only mean "a safe integer".
 * @param names registry of schemas that become `$ref` with their ids
 */
export function jsonSchema(
  schema: Schema,
  io: 'input' | 'output',
  names?: z.core.$ZodRegistry<{ id?: string }>,
): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    ...(names && { metadata: names }),
    override: ({ zodSchema, jsonSchema: node }) => {
      const { def } = zodSchema._zod
      if (def.type === 'custom') Object.assign(node, { type: 'string', format: 'binary' })
      // The wire has the input of the reader; its output is internal.
      if (isReader(def)) Object.assign(node, jsonSchema(def.in, io, names))
      // The value that takes the place of an unknown one is no default of the wire.
      if (def.type === 'catch') delete node.default
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
      if (node.format === 'date-time') delete node.pattern
    },
  })
  const { $schema: _, ...rest } = made
  return rest as JsonSchema
}

/** Returns whether a schema converts its input, as `numberish` does. */
const isReader = (def: z.core.$ZodTypes['_zod']['def']): def is z.core.$ZodPipeDef<Schema> =>
  def.type === 'pipe' && def.out._zod.def.type === 'transform'

function commonOf(op: Operation): Record<string, JsonSchema> {
  const schemas: Record<Common, JsonSchema> = {
    v: { type: 'string', enum: acceptedVersions(op), default: op.version },
    language: { type: 'string', enum: languages, default: 'en' },
  }
  return Object.fromEntries(op.carries.map((name) => [name, schemas[name]]))
}

/** Common parameters in a body are documented as required; those in a query have defaults. */
const commonInBody = ({ carries, placement, inQuery }: Operation): readonly Common[] =>
  placement === 'body' ? carries.filter((name) => !inQuery.includes(name)) : []

const withoutEmpty = ({ required, ...rest }: JsonSchema): JsonSchema =>
  required && required.length > 0 ? { ...rest, required } : rest
