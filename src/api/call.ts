// Builds the request of an operation from its input, as the contract defines it, and parses the response.
// The only place of the dashboard that writes `v` and `language`.
import * as z from 'zod/mini'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import type { ApiRequestInit } from '#src/session/client.ts'
import { AnswerError } from './answer-error.ts'
import { apiRuntime } from './runtime.ts'

// Otherwise the schema library compiles code at runtime, which the page's content security policy blocks and reports.
z.config({ jitless: true })

type Fields = Readonly<Record<string, unknown>>

/**
 * Calls an operation.
 * @param options `sessionId`: the session that the call belongs to; default the current one
 * @throws HttpError and its subclasses when the server refuses, SessionChangedError when another session has begun,
 * AnswerError when the response does not fit the contract
 * @example const { current } = await call(restream.slots, { project_id: 7 })
 */
export async function call<O extends Operation>(
  op: O,
  input: Input<O>,
  options: Pick<ApiRequestInit, 'signal' | 'timeoutMs' | 'sessionId'> = {},
): Promise<Output<O>> {
  const { client, language } = apiRuntime()
  const { path, init } = requestOf(op, input as Fields, language())
  const { body } = await client.request(path, {
    ...init,
    ...options,
    auth: op.auth === 'none' && !isForMember(op, input as Fields) ? 'none' : 'required',
    replay: op.replay,
  })
  return parseAnswer(op, body)
}

/** Returns whether the caller is a member: an operation that takes a key gets none. */
const isForMember = ({ input }: Operation, fields: Fields): boolean =>
  input instanceof z.ZodMiniObject && 'key' in input.shape && fields['key'] === undefined

/** The request of an operation: path with query, and method and body. */
export function requestOf(op: Operation, input: Fields, language: string): { path: string; init: ApiRequestInit } {
  const common = { v: op.version, language }
  const fields = { ...Object.fromEntries(op.carries.map((name) => [name, common[name]])), ...input }
  const { path, method, placement } = op
  if (placement === 'query') {
    const query = new URLSearchParams(textsOf(fields) as [string, string][]).toString()
    return { path: query ? `${path}?${query}` : path, init: { method } }
  }
  if (placement === 'multipart') {
    const body = new FormData()
    for (const [name, value] of textsOf(fields)) body.append(name, value)
    return { path, init: { method, body } }
  }
  const isInQuery = ([name]: [string, unknown]) => op.inQuery.includes(name)
  const entries = Object.entries(fields)
  const query = new URLSearchParams(textsOf(Object.fromEntries(entries.filter(isInQuery))) as [string, string][])
  const body = JSON.stringify(Object.fromEntries(entries.filter((entry) => !isInQuery(entry))))
  const address = op.inQuery.length > 0 ? `${path}?${query.toString()}` : path
  return { path: address, init: { method, headers: { 'Content-Type': 'application/json' }, body } }
}

/** Parses a response by the operation's own schema. */
export function parseAnswer<O extends Operation>(op: O, answer: unknown): Output<O> {
  const result = op.output.safeParse(answer)
  if (result.success) return result.data as Output<O>
  throw new AnswerError(op.id, result.error.issues.map(pathOf), answer)
}

/** Name and value pairs; lists repeat their name, undefined values are omitted. Files pass unchanged. */
function textsOf(fields: Fields): [string, string | Blob][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined)
      .map((item): [string, string | Blob] => [name, item instanceof Blob ? item : String(item)]),
  )
}

const pathOf = ({ path, message }: { path: PropertyKey[]; message: string }) => ({ path: path.join('.'), message })
