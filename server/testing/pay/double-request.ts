// Requests to the doubles of payment providers, which take JSON and forms.
import type { IncomingMessage } from 'node:http'

export type Body = Readonly<Record<string, unknown>>

/** A request to a double. */
export interface DoubleRequest {
  readonly method: string
  /** First part of the path. */
  readonly host: string
  /** Rest of the path, without a slash at its start. */
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string
  /** Idempotency key; empty without one. */
  readonly key: string
  readonly text: string
  readonly body: Body
}

/** Response of a double. */
export interface DoubleAnswer {
  readonly status: number
  readonly body: unknown
}

/** A call of a double that is never answered, because its caller is killed. */
export interface Hang {
  /** Start of `METHOD path`. */
  readonly call: string
  /** True: the double acts on the call before. */
  readonly effect: boolean
}

/** A double that leaves calls without an answer. */
export interface HangingDouble {
  /** The next call that is not answered. */
  hang: Hang | null
  /** Idempotency keys of calls that were not answered: a repeated call is answered. */
  readonly hungKeys: Set<string>
}

/** Returns and clears the hang of a double at a call. @param call `METHOD path` @param key idempotency key; empty: none */
export function hangAt(double: HangingDouble, call: string, key: string): Hang | null {
  const { hang, hungKeys } = double
  if (!hang || !call.startsWith(hang.call) || hungKeys.has(key)) return null
  double.hang = null
  if (key !== '') hungKeys.add(key)
  return hang
}

/** Reads a request. @param keyHeader header of the idempotency key, in lower case */
export async function readRequest(request: IncomingMessage, keyHeader: string): Promise<DoubleRequest> {
  const url = new URL(request.url ?? '/', 'http://double')
  const [, host = '', ...rest] = url.pathname.split('/')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return {
    method: request.method ?? '',
    host,
    path: rest.join('/'),
    query: url.searchParams,
    authorization: request.headers.authorization ?? '',
    key: String(request.headers[keyHeader] ?? ''),
    text,
    body: text === '' ? {} : isForm ? Object.fromEntries(new URLSearchParams(text)) : (JSON.parse(text) as Body),
  }
}

/** Returns `user:password` of HTTP Basic; empty for other schemes. */
export const basicOf = ({ authorization }: DoubleRequest): string =>
  Buffer.from(authorization.split('Basic ')[1] ?? '', 'base64').toString('utf8')
