// HTTP with a session: puts the token on, has it replaced when it was refused, sends again once, and names what failed.
import { systemClock } from './coordinator.ts'
import {
  HttpError,
  NetworkError,
  RateLimitError,
  SessionChangedError,
  SessionExpiredError,
  SignedOutError,
  TimeoutError,
  UnauthorizedError,
  unavailableUntil,
} from './errors.ts'
import type { AccessToken, AuthSession, Clock } from './types.ts'
import { baseUrlOf, retryAfterMs } from './wire.ts'

/** Which answer means "this access token is dead". `errorName` is `error.name` of the body, read for 400 only. */
export type IsUnauthorized = (failure: { status: number; errorName: string | null }) => boolean

/**
 * 401, or 400 with one of these names: servers are known to say it either way.
 * @param names `error.name` of answers really seen; a wrong one costs a refresh per failure
 */
export const unauthorizedBy =
  (names: readonly string[] = []): IsUnauthorized =>
  ({ status, errorName }) =>
    status === 401 || (status === 400 && errorName !== null && names.includes(errorName))

export interface ApiClientOptions {
  readonly session: AuthSession
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  readonly isUnauthorized?: IsUnauthorized
  /** Path of a cheap authenticated GET that decides what an unexplained 400 with an older token means. */
  readonly sessionProbe?: string
  /** A failure without any answer may be a 401 without CORS headers: refresh once per generation. */
  readonly refreshOnOpaqueFailure?: boolean
  /** Until the headers of the answer are there; `request` also reads the body within it. Default 30 s. */
  readonly timeoutMs?: number
}

export interface ApiRequestInit extends RequestInit {
  /** `required`: fails when nobody is signed in. Default `required`. */
  readonly auth?: 'required' | 'optional' | 'none'
  /** `never`: not sent again after a 401. A stream never is. Default `auto`. */
  readonly replay?: 'auto' | 'never'
  readonly timeoutMs?: number
}

export interface ApiClient {
  /**
   * Sends a request below the base URL.
   * @returns the answer of a success, its body unread
   * @throws HttpError for any other answer, NetworkError for none, a session error when there is no usable token
   */
  fetch(path: string, init?: ApiRequestInit): Promise<Response>
  /** The same, with the body read and parsed as JSON (`undefined` when empty, the text when it is no JSON). */
  request(path: string, init?: ApiRequestInit): Promise<{ status: number; headers: Headers; body: unknown }>
}

const retryAfterCapMs = 300_000
const probeAgeMs = 60_000

/** Makes the client of one session. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { session, clock = systemClock, isUnauthorized = unauthorizedBy() } = options
  const base = baseUrlOf(options.baseUrl)
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  /** Last generation that was asked about, for questions that may be asked once per token. */
  const asked = { probe: '', opaque: '' }

  const askOnce = (what: keyof typeof asked, { sessionId, generation }: AccessToken) => {
    const id = `${sessionId} ${generation}`
    const isNew = asked[what] !== id
    asked[what] = id
    return isNew
  }

  const noToken = () =>
    session.getSnapshot().reason === 'expired'
      ? new SessionExpiredError('The session has ended')
      : new SignedOutError('Nobody is signed in')

  const changed = () => new SessionChangedError('Somebody else is signed in now')

  /** One send. `signal` of the caller stays connected to the body; the time limit ends with `stop`. */
  async function once(path: string, init: ApiRequestInit, token: AccessToken | null) {
    const { auth: _, replay: __, timeoutMs, signal, ...rest } = init
    const controller = new AbortController()
    const limit = timeoutMs ?? options.timeoutMs ?? 30_000
    let isLate = false
    const timer = clock.setTimeout(() => {
      isLate = true
      controller.abort()
    }, limit)
    const failed = () => {
      if (signal?.aborted) return signal.reason as unknown
      if (isLate) return new TimeoutError('No answer in time')
      // Without a network nothing left this machine.
      return Object.assign(new NetworkError('No answer'), { maybeProcessed: globalThis.navigator?.onLine !== false })
    }
    if (signal?.aborted) throw signal.reason
    const headers = new Headers(rest.headers)
    if (token) headers.set('Authorization', `oauth ${token.value}`)
    try {
      const response = await send(base + path, {
        credentials: 'omit',
        redirect: 'error',
        ...rest,
        ...(rest.body instanceof ReadableStream ? ({ duplex: 'half' } as object) : {}),
        headers,
        signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
      })
      return { response, failed, stop: () => clock.clearTimeout(timer) }
    } catch {
      clock.clearTimeout(timer)
      throw failed()
    }
  }

  type Sent = Awaited<ReturnType<typeof once>>

  const textOf = async ({ response, failed, stop }: Sent) => {
    try {
      return await response.text()
    } catch {
      throw failed()
    } finally {
      stop()
    }
  }

  /** Has the token replaced; returns when the request may be sent again, throws what the caller gets otherwise. */
  async function renew(token: AccessToken, refused: () => Promise<Error>, signal: AbortSignal | null | undefined) {
    const isMine = () => session.getSnapshot().sessionId === token.sessionId
    const outcome = isMine()
      ? await session.refreshSession({ rejectedGeneration: token.generation, signal })
      : 'superseded'
    const { sessionId, status, retryAt } = session.getSnapshot()
    if (!sessionId) throw noToken()
    if (!isMine()) throw changed()
    if (outcome === 'rotated' || outcome === 'adopted') return
    if (status === 'authenticated') throw await refused()
    throw unavailableUntil(retryAt ?? clock.now() + 1000)
  }

  /** A failure without any answer: perhaps a refusal that the browser does not show. Returns when to send again. */
  async function onSilence(error: unknown, token: AccessToken | null, init: ApiRequestInit, isReplay: boolean) {
    const isOpaque = error instanceof NetworkError && !(error instanceof TimeoutError)
    if (!options.refreshOnOpaqueFailure || !isOpaque || !token || isReplay || !askOnce('opaque', token)) throw error
    await renew(token, async () => error, init.signal)
    // What may have been processed is not sent again.
    if (!/^(GET|HEAD)$/i.test(init.method ?? 'GET')) throw error
  }

  /** Anything but success. Returns when to send again, throws what the caller gets otherwise. */
  async function onRefusal(sent: Sent, token: AccessToken | null, init: ApiRequestInit, isReplay: boolean) {
    const { status, headers, body: stream } = sent.response
    let reading: Promise<unknown> | undefined
    const read = () => (reading ??= textOf(sent).then(parse))
    if (!token || !(await isDead(status, read, token, isReplay))) {
      // Refused for another reason than its token.
      if (token && status > 401 && status < 429) session.confirmAccess(token)
      throw httpError(status, headers, await read())
    }
    const isReplayable = init.replay !== 'never' && !(init.body instanceof ReadableStream)
    const refused = async () =>
      Object.assign(new UnauthorizedError(status, headers, await read()), { replayable: isReplayable })
    if (isReplay) throw await refused()
    if (!isReplayable) {
      void renew(token, refused, null).catch(() => {})
      throw await refused()
    }
    await renew(token, refused, init.signal)
    sent.stop()
    if (!reading) void stream?.cancel().catch(() => {})
  }

  async function isDead(status: number, read: () => Promise<unknown>, token: AccessToken, isReplay: boolean) {
    if (isUnauthorized({ status, errorName: status === 400 ? nameOf(await read()) : null })) return true
    if (status !== 400 || !options.sessionProbe || isReplay) return false
    return clock.now() - token.obtainedAt > probeAgeMs && askOnce('probe', token) && isRefusedByProbe(token)
  }

  async function exchange(path: string, init: ApiRequestInit): Promise<Sent> {
    if (!path.startsWith('/')) throw new TypeError('A path begins with /')
    const { auth = 'required', signal } = init
    let first: AccessToken | null = null
    for (let isReplay = false; ; isReplay = true) {
      const token = auth === 'none' ? null : await session.getAccessToken({ signal })
      if (!token && (auth === 'required' || first)) throw noToken()
      if (first && first.sessionId !== token?.sessionId) throw changed()
      first = token
      let sent: Sent
      try {
        sent = await once(path, init, token)
      } catch (error) {
        await onSilence(error, token, init, isReplay)
        continue
      }
      if (sent.response.ok) {
        if (token) session.confirmAccess(token)
        return sent
      }
      await onRefusal(sent, token, init, isReplay)
    }
  }

  async function isRefusedByProbe(token: AccessToken) {
    try {
      const { response, stop } = await once(options.sessionProbe ?? '', {}, token)
      stop()
      void response.body?.cancel().catch(() => {})
      return response.status === 400 || response.status === 401
    } catch {
      return false
    }
  }

  const httpError = (status: number, headers: Headers, body: unknown) =>
    status === 429
      ? Object.assign(new RateLimitError(status, headers, body), {
          retryAfterMs: retryAfterMs(headers, clock.now(), retryAfterCapMs),
        })
      : new HttpError(status, headers, body)

  return {
    async fetch(path, init = {}) {
      const { response, stop } = await exchange(path, init)
      stop()
      return response
    },
    async request(path, init = {}) {
      const sent = await exchange(path, init)
      const { status, headers } = sent.response
      return { status, headers, body: parse(await textOf(sent)) }
    },
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

const nameOf = (body: unknown): string | null => {
  const name = (body as { error?: { name?: unknown } } | null | undefined)?.error?.name
  return typeof name === 'string' ? name : null
}
