// Client of the API: calls by the ids of operations, and realtime.
import type { Call } from './call.ts'
import { type CallError, errorOf, type Result } from './errors.ts'
import { openRealtime, type Realtime, type RealtimeOptions } from './realtime.ts'
import { prepare } from './request.ts'
import { apiToken, type TokenSource } from './tokens.ts'

/** Settings of a client. */
export interface ClientOptions {
  /** Address of the service, for example `https://live.example.com`. */
  readonly url: string
  /** API token, or a source of access tokens. Left out: only operations without a sign-in. */
  readonly token?: string | TokenSource
  /** Language of messages; default `en`. */
  readonly language?: 'en' | 'ru' | 'cn'
  /** Timeout of a call, milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** Class for realtime where the runtime has none, as Node 20: that of the package `ws`. */
  readonly WebSocket?: unknown
}

/** Client of one service. */
export interface Client {
  readonly call: Call
  /** Opens the realtime connection of a project; reconnects by itself. */
  realtime(projectId: number, options?: RealtimeOptions): Realtime
}

const failed = (error: CallError) => ({ ok: false, error }) as const

/** Returns a client. @throws TypeError for a URL that is none */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.url)
  if (!/^https?:$/.test(base.protocol))
    throw new TypeError(`url must begin with http:// or https://, got "${base.protocol}"`)
  const { token, language = 'en', timeoutMs = 30_000 } = options
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  const source = typeof token === 'string' ? apiToken(token) : token

  const call: Call = async (id, input, more = {}) => {
    const { path, init, mayRepeat } = prepare(id, input, language)
    const timeout = AbortSignal.timeout(more.timeoutMs ?? timeoutMs)
    const signal = more.signal ? AbortSignal.any([more.signal, timeout]) : timeout
    const attempt = async (refused?: string): Promise<{ token: string | null; response: Response } | null> => {
      const one = source ? await source.get(refused) : null
      if (source && (one === null || one === refused)) return null
      const headers = {
        ...(init.headers as Record<string, string>),
        ...(one !== null && { authorization: `Bearer ${one}` }),
      }
      return { token: one, response: await send(new URL(path, base), { ...init, headers, signal }) }
    }
    try {
      let done = await attempt()
      if (!done) return failed({ kind: 'signed-out', message: 'There is no access token' })
      if (done.response.status === 401 && done.token !== null && mayRepeat) done = (await attempt(done.token)) ?? done
      return await resultOf(done.response)
    } catch (error) {
      const kind = more.signal?.aborted ? 'aborted' : timeout.aborted ? 'timeout' : 'unreachable'
      return failed({ kind, message: error instanceof Error ? error.message : String(error) })
    }
  }
  const client: Client = {
    call,
    realtime: (projectId, more = {}) =>
      openRealtime({ call, address: () => realtimeAddress(base, send), projectId, WebSocket: options.WebSocket }, more),
  }
  return client
}

async function resultOf<T>(response: Response): Promise<Result<T>> {
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null) return { ok: true, data: { location } as T }
  const text = await response.text()
  if (response.ok && text === '') return { ok: true, data: undefined as T }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return failed({ kind: 'unexpected', status: response.status, message: `Unexpected response: ${response.status}` })
  }
  return response.ok ? { ok: true, data: body as T } : failed(errorOf(response, body))
}

/** The address that the service names for realtime, else its own. */
async function realtimeAddress(base: URL, send: typeof fetch): Promise<string> {
  const response = await send(new URL('/config.json', base), { signal: AbortSignal.timeout(30_000) })
  const { realtimeUrl } = (await response.json()) as { realtimeUrl?: string }
  if (realtimeUrl) return realtimeUrl
  const url = new URL('/connection/websocket', base)
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
