// Generates the operations of `@relaydeck/client`: a compact table for calls, and types without the schema library.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import { jsonSchema, type JsonSchema } from '#contract/core/describe.ts'
import type { Operation, Schema } from '#contract/core/operation.ts'
import refusals from '#locales/en/service/refusals.json' with { type: 'json' }

const header = (from: string) => `// Generated from ${from} by scripts/house/registries.ts; do not edit.`
/** Longest type on one line, characters. */
const widest = 110

/** Folders whose exported schemas keep their names. */
const named = ['contract/entities/*.ts', 'contract/events/*.ts']

/** Named schemas, with a registry by which JSON Schema refers to them. */
interface Names {
  readonly registry: z.core.$ZodRegistry<{ id?: string }>
  readonly schemas: ReadonlyMap<string, Schema>
}

async function findNames(): Promise<Names> {
  const registry = z.registry<{ id?: string }>()
  const schemas = new Map<string, Schema>()
  for (const file of globSync(named).toSorted()) {
    if (file.includes('.test.')) continue
    const module: Record<string, unknown> = await import(pathToFileURL(resolve(file)).href)
    for (const [name, value] of Object.entries(module)) {
      if (!isShape(value) || registry.has(value)) continue
      if (schemas.has(name)) throw new Error(`Two schemas of the contract are named ${name}; the second is in ${file}`)
      registry.add(value, { id: name })
      schemas.set(name, value)
    }
  }
  return { registry, schemas }
}

const isShape = (value: unknown): value is Schema =>
  value instanceof z.ZodMiniType && ['object', 'union'].includes(value._zod.def.type)

/** Returns the text of the types: entities by name, and input and output of each operation. */
export async function typesText(operations: readonly Operation[]): Promise<string> {
  const { registry, schemas } = await findNames()
  const used = new Set<string>()
  const print = printer((name) => void used.add(name))
  const answer = (schema: Schema) => print(jsonSchema(schema, 'output', registry), 'answer', 2)
  const rows = operations.map((op) => {
    const input = print(jsonSchema(op.input, 'input'), 'input', 2)
    const optional = op.output.safeParse(undefined).success ? ' | undefined' : ''
    return [
      docblock(op),
      `  '${op.id}': {`,
      `    input: ${input}`,
      `    output: ${answer(op.output)}${optional}`,
      '  }',
    ]
  })
  const entities = new Map<string, string>()
  const publications = ['ProjectEvent', 'ChannelEvent', 'BroadcastPublication', 'LiveEvent']
  for (const queue = [...used, ...publications]; queue.length > 0;) {
    const name = queue.shift() ?? ''
    const schema = schemas.get(name)
    if (!schema || entities.has(name)) continue
    used.clear()
    entities.set(name, `export type ${name} = ${print(own(jsonSchema(schema, 'output', registry), name), 'answer', 0)}`)
    queue.push(...used)
  }
  const errors = Object.keys(refusals)
    .toSorted()
    .map((name) => `  | '${name}'`)
  return [
    `${header('contract/areas/*/*.ts')}\n`,
    `/** Names of refusals. */\nexport type ErrorName =\n${errors.join('\n')}\n`,
    ...[...entities].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => `${text}\n`),
    `/** Input and output of each operation, by its id. */\nexport interface Operations {\n${rows.flat().join('\n')}\n}\n`,
  ].join('\n')
}

/** A named schema refers to itself: its definition is inside, or it is the whole. */
const own = (schema: JsonSchema, name: string): JsonSchema => {
  const definitions = schema['$defs'] as Readonly<Record<string, JsonSchema>> | undefined
  return schema['$ref'] === `#/$defs/${name}` && definitions?.[name] ? definitions[name] : schema
}

function docblock({ name, scope, method, path, notes }: Operation): string {
  const needed = { any: 'any token', session: 'no API token' }[scope as string] ?? `scope \`${scope}\``
  const lines = [
    `${name}. \`${method} ${path}\`, ${needed}.`,
    ...Object.entries(notes).map(([field, note]) => `- ${field}: ${note}`),
  ]
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`).join('\n')}\n   */`
}

type Print = (schema: JsonSchema, side: 'input' | 'answer', depth: number) => string

/** @param onName receives the name of each schema that is referred to */
function printer(onName: (name: string) => void): Print {
  const print: Print = (schema, side, depth) => {
    const list = (key: string) => schema[key] as readonly JsonSchema[] | undefined
    const ref = schema['$ref'] as string | undefined
    if (ref) {
      const name = ref.slice(ref.lastIndexOf('/') + 1)
      onName(name)
      return name
    }
    if ('const' in schema) return literal(schema['const'])
    if (schema.enum) return schema.enum.map(literal).join(' | ')
    const union = list('anyOf') ?? list('oneOf')
    if (union) return [...new Set(union.map((one) => print(one, side, depth)))].join(' | ')
    const all = list('allOf')
    if (all) return all.map((one) => `(${print(one, side, depth)})`).join(' & ')
    if (Array.isArray(schema.type))
      return schema.type.map((type) => print({ ...schema, type }, side, depth)).join(' | ')
    switch (schema.type) {
      case 'object':
        return printObject(schema, side, depth)
      case 'array':
        return printArray(schema, side, depth)
      case 'string':
        return schema['format'] === 'binary' ? 'Blob' : 'string'
      case 'number':
      case 'integer':
        return 'number'
      case 'boolean':
      case 'null':
        return schema.type
      default:
        return schema['not'] ? 'never' : 'unknown'
    }
  }

  function printArray(schema: JsonSchema, side: 'input' | 'answer', depth: number): string {
    const places = schema['prefixItems'] as readonly JsonSchema[] | undefined
    if (places) return `[${places.map((one) => print(one, side, depth)).join(', ')}]`
    const item = schema.items ? print(schema.items, side, depth) : 'unknown'
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`
  }

  function printObject(schema: JsonSchema, side: 'input' | 'answer', depth: number): string {
    const { properties = {}, required = [] } = schema
    const more = schema['additionalProperties'] as JsonSchema | boolean | undefined
    const entries = Object.entries(properties)
    if (entries.length === 0)
      return typeof more === 'object' && Object.keys(more).length > 0
        ? `Record<string, ${print(more, side, depth)}>`
        : `Record<string, ${side === 'input' && !('propertyNames' in schema) ? 'never' : 'unknown'}>`
    const fields = entries.map(([name, field]) => {
      const isNeeded = required.includes(name)
      const key = /^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`
      const type = print(field, side, depth + 1)
      return `${key}${isNeeded ? '' : '?'}: ${type}${!isNeeded && side === 'input' ? ' | undefined' : ''}`
    })
    const short = `{ ${fields.join('; ')} }`
    if (!short.includes('\n') && short.length + depth * 2 <= widest) return short
    const indent = '  '.repeat(depth + 1)
    return `{\n${fields.map((field) => `${indent}${field}`).join('\n')}\n${'  '.repeat(depth)}}`
  }
  return print
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

/** Facts of an operation that differ from the usual ones. */
interface Odd {
  v?: string
  carries?: readonly string[]
  inQuery?: readonly string[]
  multipart?: true
  query?: true
  never?: true
  redirects?: true
}

/** Returns the text of the table of operations: method, path below `/method/`, and what differs from the usual. */
export function tableText(operations: readonly Operation[]): string {
  const rows = operations.map((op) => {
    const odd: Odd = {
      ...(op.version === '1' ? {} : { v: op.version }),
      ...(op.carries.length === 2 ? {} : { carries: op.carries }),
      ...(op.inQuery.length === 0 ? {} : { inQuery: op.inQuery }),
      ...(op.placement === 'multipart' ? { multipart: true as const } : {}),
      ...(op.placement === 'query' && op.method !== 'GET' && op.method !== 'DELETE' ? { query: true as const } : {}),
      ...(op.replay === 'never' ? { never: true as const } : {}),
      ...(op.status >= 300 ? { redirects: true as const } : {}),
    }
    const fields = Object.entries(odd).map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`)
    const more = fields.length === 0 ? '' : `, { ${fields.join(', ')} }`
    return `  '${op.id}': ['${op.method}', '${op.path.replace('/method/', '')}'${more}],`
  })
  return `${header('contract/areas/*/*.ts')}
import type { Row } from './row.ts'
import type { Operations } from './types.gen.ts'

/** Requests of the operations, by their ids. */
export const table: Readonly<Record<keyof Operations, Row>> = {
${rows.join('\n')}
}
`
}
