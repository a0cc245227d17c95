// Builds the HTTP request of an operation.
import { table } from './table.gen.ts'
import type { Operations } from './types.gen.ts'

type Fields = Readonly<Record<string, unknown>>

/** Request of an operation, without the address of the service. */
export interface Prepared {
  readonly path: string
  readonly init: RequestInit
  readonly mayRepeat: boolean
}

/** Returns the request of an operation. @throws TypeError for an id that is no operation */
export function prepare(id: keyof Operations, input: Fields, language: string): Prepared {
  const row = table[id]
  if (!row) throw new TypeError(`"${String(id)}" is no operation of the API`)
  const [method, name, { v = '1', carries = ['v', 'language'], inQuery = [], ...odd } = {}] = row
  const common: Fields = { v, language }
  const fields = { ...Object.fromEntries(carries.map((key) => [key, common[key]])), ...input }
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const inPath = new Set<string>()
  const path = name.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    inPath.add(key)
    return encodeURIComponent(String(fields[key]))
  })
  const rest = entries.filter(([key]) => !inPath.has(key))
  const isQuery = odd.query ?? (method === 'GET' || method === 'DELETE')
  const query = new URLSearchParams(
    pairsOf(rest.filter(([key]) => isQuery || inQuery.includes(key))).map(([key, value]) => [key, String(value)]),
  ).toString()
  const inBody = isQuery ? [] : rest.filter(([key]) => !inQuery.includes(key))
  return {
    path: `/method/${path}${query && `?${query}`}`,
    init: {
      method,
      ...(isQuery ? {} : bodyOf(inBody, odd.multipart ?? false)),
      redirect: odd.redirects ? 'manual' : 'follow',
    },
    mayRepeat: !odd.never,
  }
}

function bodyOf(entries: readonly [string, unknown][], isMultipart: boolean): RequestInit {
  if (!isMultipart)
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(entries)) }
  const body = new FormData()
  for (const [key, value] of pairsOf(entries)) body.append(key, value instanceof Blob ? value : String(value))
  return { body }
}

/** Name and value pairs; lists repeat their name. */
const pairsOf = (entries: readonly [string, unknown][]): [string, unknown][] =>
  entries.flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, unknown] => [key, item]),
  )
