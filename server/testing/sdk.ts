// Calls as the makers' client libraries send them: method, path and place of each parameter come from a description of the published
// calls (snapshot of 2025-06, published-calls.json), and the contract has no part in them.
import type { Operation } from '#contract/core/operation.ts'
import published from '#contract/published.json' with { type: 'json' }
import rows from './published-calls.json' with { type: 'json' }

/** One published call. A list is words of `name`, `name?` when optional, then `:type` (else text) and `=value` of a constant. */
interface Row {
  readonly query?: string
  /** Fields of a JSON body. */
  readonly body?: string
  /** Fields of a multipart form. */
  readonly form?: string
}

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly type: string
  /** Value that the libraries send unless the caller sets another one. */
  readonly usual: string
}

const calls: Readonly<Record<string, Row>> = rows
/** Parameters of the later snapshot, which later libraries send beside those of the earlier one. */
const later: Readonly<Record<string, { readonly parameters: readonly string[] } | undefined>> = published

/** Routes of the published calls, `METHOD path` below `/method/`. */
export const sdkRoutes = Object.keys(calls)

/** Returns the route of an operation in the notation of `sdkRoutes`. */
export const routeOf = ({ method, path }: Operation): string => `${method} ${path.replace('/method/', '')}`

const fieldsOf = (list = ''): Field[] =>
  list
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const {
        name = '',
        optional,
        type = 'string',
        value,
      } = /^(?<name>\w+)(?<optional>\?)?(?:=(?<value>\w+))?(?::(?<type>\w+))?$/.exec(word)?.groups ?? {}
      return { name, isOptional: optional !== undefined, type, usual: value ?? (name === 'v' ? '1' : 'en') }
    })

/** Returns the parameters that the libraries require, without `v` and `language`; null for a call that they do not have. */
export function sdkRequired(route: string): string[] | null {
  const row = calls[route]
  if (!row) return null
  const fields = [row.query, row.body, row.form].flatMap((list) => fieldsOf(list))
  return fields.filter(({ name, isOptional }) => !isOptional && !isCommon(name)).map(({ name }) => name)
}

/** Ways in which the libraries send a token (published A.1). */
export const sdkHeaders = {
  oauth: (token: string) => ({ authorization: `oauth ${token}` }),
  bearer: (token: string) => ({ authorization: `Bearer ${token}` }),
  key: (token: string) => ({ 'X-API-KEY': token }),
} as const

/** Returns the fields of the later snapshot that the earlier one lacks. They are where the other own parameters are. */
const more = (route: string, row: Row): string =>
  (later[route]?.parameters ?? [])
    .map((entry) => entry.replace(/[?=].*/, ''))
    .filter(
      (name) => ![row.query, row.body, row.form].flatMap((list) => fieldsOf(list)).some((one) => one.name === name),
    )
    .map((name) => `${name}?:any`)
    .join(' ')

/** Returns the request of a call. @param values parameters by name; others than those of the call are left out */
export function sdkRequest(
  base: string,
  route: string,
  values: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): Request {
  const row = calls[route]
  const [method = '', path = ''] = route.split(' ')
  if (!row) throw new Error(`The client libraries do not call ${route}`)
  const added = more(route, row)
  const url = new URL(`/method/${path}`, base)
  for (const [name, value] of sentBy(row.body === undefined ? `${row.query ?? ''} ${added}` : row.query, values))
    for (const one of [value].flat()) url.searchParams.append(name, String(one))
  const form = row.form === undefined ? null : new FormData()
  for (const [name, value] of sentBy(row.form, values))
    form?.append(name, value instanceof Blob ? value : String(value))
  const json =
    row.body === undefined ? null : JSON.stringify(Object.fromEntries(sentBy(`${row.body} ${added}`, values, typed)))
  return new Request(url, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(json !== null && { 'Content-Type': 'application/json' }) },
    body: form ?? json,
  })
}

/** Returns the fields of a list that are sent. @param as gives a value the published type; without it values stay */
const sentBy = (
  list: string | undefined,
  values: Readonly<Record<string, unknown>>,
  as: typeof typed = (value) => value,
): [string, unknown][] =>
  fieldsOf(list).flatMap(({ name, type, usual }) => {
    const value = values[name] ?? (isCommon(name) ? usual : undefined)
    return value === undefined ? [] : [[name, as(value, type)]]
  })

function typed(value: unknown, type: string): unknown {
  if (type === 'any') return value
  if (type === 'number') return Array.isArray(value) ? value.map(Number) : Number(value)
  if (type === 'array') return [value].flat()
  return type === 'boolean' ? value === true || value === 'true' : String(value)
}

const isCommon = (name: string): boolean => name === 'v' || name === 'language'
