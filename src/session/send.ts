// One HTTP request with a time limit that includes the body.
import { NetworkError, TimeoutError } from './errors.ts'
import type { AccessToken, Clock } from './types.ts'

/** A response whose body is read on demand, within the time limit of its request. */
export interface Sent {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  read(): Promise<unknown>
  /** Ends the time limit and frees the connection of an unread body. */
  drop(): void
}

interface SendInit extends RequestInit {
  readonly timeoutMs?: number
}

interface SenderDeps {
  readonly base: string
  readonly send: typeof fetch
  readonly clock: Clock
  /** Limit of a request without its own, ms. */
  readonly defaultMs: number
}

/** Returns the function that sends requests below a base URL. */
export function createSender({ base, send, clock, defaultMs }: SenderDeps) {
  /** Sends once. The caller's `signal` stays connected to the body. */
  return async function once(path: string, init: SendInit, token: AccessToken | null): Promise<Sent> {
    const { timeoutMs, signal, ...rest } = init
    const controller = new AbortController()
    let isLate = false
    const timer = clock.setTimeout(() => {
      isLate = true
      controller.abort()
    }, timeoutMs ?? defaultMs)
    const stop = () => clock.clearTimeout(timer)
    const failed = (maybeProcessed = true) => {
      stop()
      if (signal?.aborted) return signal.reason as unknown
      if (isLate) return new TimeoutError('Request timed out')
      return Object.assign(new NetworkError('No response'), { maybeProcessed })
    }
    if (signal?.aborted) throw failed()
    const headers = new Headers(rest.headers)
    if (token) headers.set('Authorization', `oauth ${token.value}`)
    // Without a network the request is not sent. Read before the request: the network may fail while it is in flight.
    const onLine = globalThis.navigator?.onLine
    try {
      const response = await send(base + path, {
        credentials: 'omit',
        redirect: 'error',
        ...rest,
        ...(rest.body instanceof ReadableStream ? ({ duplex: 'half' } as object) : {}),
        headers,
        signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
      })
      let reading: Promise<unknown> | undefined
      return {
        ok: response.ok,
        status: response.status,
        headers: response.headers,
        read: () =>
          (reading ??= response
            .text()
            .then(parse)
            .catch(() => Promise.reject(failed()))
            .finally(stop)),
        drop() {
          stop()
          if (!reading) void response.body?.cancel().catch(() => {})
        },
      }
    } catch {
      throw failed(onLine)
    }
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
