// Requests of operations, as a client sends them.
import type { Input, Operation, Output } from '#contract/core/operation.ts'

export interface RequestOptions {
  /** Caller: a session, an access token, or none. */
  readonly as?: { readonly accessToken: string } | string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

/** Builds the request that a client would send. */
export function requestOf(op: Operation, input: unknown, { as, headers = {}, address }: RequestOptions = {}) {
  const values = {
    ...Object.fromEntries(op.carries.map((name) => [name, name === 'v' ? op.version : 'en'])),
    ...(input as object),
  }
  const token = typeof as === 'string' ? as : as?.accessToken
  const inQuery = op.placement === 'query'
  return {
    method: op.method,
    url: op.path,
    headers: { ...(token === undefined ? {} : { authorization: `oauth ${token}` }), ...headers },
    ...(address === undefined ? {} : { remoteAddress: address }),
    ...(inQuery ? { query: textsOf(values) } : {}),
    // An operation without parameters is called without a body.
    ...(op.placement === 'body' && Object.keys(values).length > 0 ? { payload: values } : {}),
    ...(op.placement === 'multipart' ? { payload: formOf(values) } : {}),
  }
}

/** Encodes query parameters; a list repeats its name. */
const textsOf = (values: object): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )

function formOf(values: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, value instanceof Blob ? value : String(value))
  return form
}

/** Returns the path, the headers and the JSON body of a call over HTTP. @throws for an operation that takes a form */
export function httpRequestOf(op: Operation, input: unknown, options?: RequestOptions) {
  const { method, url, headers, query, payload } = requestOf(op, input, options)
  if (payload instanceof FormData) throw new Error(`${op.id} takes a form`)
  const pairs = Object.entries(query ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  return {
    method,
    path: pairs.length === 0 ? url : `${url}?${new URLSearchParams(pairs).toString()}`,
    headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
    ...(payload && { body: JSON.stringify(payload) }),
  }
}

/**
 * Calls an operation over HTTP. @param base origin of the service
 * @throws with the response, unless it is a success
 */
export async function call<O extends Operation>(
  base: string,
  op: O,
  input: Input<O>,
  accessToken?: string,
): Promise<Output<O>> {
  const { path, ...init } = httpRequestOf(op, input, { as: accessToken })
  const answer = await fetch(base + path, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${op.method} ${op.path} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}
