// Operations as curl commands, with a placeholder instead of the token.
import { describe, type JsonSchema, type Parameter } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'

/** Known values by parameter name. */
export type Known = Readonly<Record<string, string | number>>

/**
 * Returns the curl command of an operation, with its required and common parameters.
 * @param known values instead of samples, for example the project id
 */
export function curlOf(op: Operation, baseUrl: string, known: Known = {}): string {
  const parameters = describe(op).parameters.filter(({ name, required }) => required || isCommon(op, name))
  const values = parameters.map((parameter) => [parameter.name, sample(op, parameter, known)] as const)
  const token = op.auth === 'none' ? [] : [`-H ${quote('Authorization: oauth <ACCESS_TOKEN>')}`]
  return [`curl ${request(op, `${baseUrl}${op.path}`, values)}`, ...token, ...content(op, values)].join(' \\\n  ')
}

type Values = readonly (readonly [string, unknown])[]

const isCommon = (op: Operation, name: string): boolean => (op.carries as readonly string[]).includes(name)

function request(op: Operation, url: string, values: Values): string {
  const method = op.method === 'GET' || op.placement !== 'query' ? '' : `-X ${op.method} `
  if (op.placement !== 'query') return `${op.method === 'POST' ? '' : `-X ${op.method} `}${quote(url)}`
  const query = values.map(([name, value]) => `${name}=${encode(String(value))}`).join('&')
  return `${method}${quote(query ? `${url}?${query}` : url)}`
}

/** Keeps placeholders readable. */
const encode = (value: string): string => (/^<[A-Z_]+>$/.test(value) ? value : encodeURIComponent(value))

function content(op: Operation, values: Values): string[] {
  if (op.placement === 'query') return []
  if (op.placement === 'multipart') return values.map(([name, value]) => `-F ${quote(`${name}=${String(value)}`)}`)
  const body = JSON.stringify(Object.fromEntries(values))
  return [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(body)}`]
}

function sample(op: Operation, { name, schema }: Parameter, known: Known): unknown {
  if (name === 'v') return op.version
  if (known[name] !== undefined) return known[name]
  if (schema.default !== undefined) return schema.default
  return schema.enum?.[0] ?? byType(name, schema)
}

function byType(name: string, schema: JsonSchema): unknown {
  if (schema.type === 'boolean') return true
  if (schema['format'] === 'binary') return `@${name}.png`
  return `<${name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}>`
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
