// HTTP client of a session: adds the access token, renews a refused one, replays the request once, types every failure.
import { systemClock } from './coordinator.ts'
import {
  HttpError,
  RateLimitError,
  SessionChangedError,
  SessionExpiredError,
  SignedOutError,
  UnauthorizedError,
  unavailableUntil,
} from './errors.ts'
import { createSender, type Sent } from './send.ts'
import type { AccessToken, AuthSession, Clock } from './types.ts'
import { baseUrlOf, retryAfterMs } from './wire.ts'

/**
 * Returns whether a response means "the access token is invalid". `errorName` is `error.name` of the body, read for 400
 * only.
 */
export type IsUnauthorized = (failure: { status: number; errorName: string | null }) => boolean

/**
 * 401, or 400 with one of these names: servers use either.
 * @param names values of `error.name` from real responses; a wrong one costs a refresh per failure
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
  /** Limit for the whole response, ms. Default 30 s. */
  readonly timeoutMs?: number
}

export interface ApiRequestInit extends RequestInit {
  /**
   * `required` sends the access token and fails without a session; `none` sends none. Default `required`. A request with
   * an `Authorization` header of its own is `none`.
   */
  readonly auth?: 'required' | 'none'
  /** `never`: no replay after a 401. A stream is never replayed. Default `auto`. */
  readonly replay?: 'auto' | 'never'
  readonly timeoutMs?: number
  /** Session that the request belongs to. Default: the current one at the time of the request. */
  readonly sessionId?: string | null | undefined
}

export interface ApiClient {
  /**
   * Sends a request below the base URL, under the session in which it was made and no other.
   * @returns status, headers, and the body parsed as JSON (`undefined` when empty, text when it is not JSON)
   * @throws HttpError for a response without success, NetworkError for none, SessionChangedError when another session has
   * begun, another session error when there is no usable token
   */
  request(path: string, init?: ApiRequestInit): Promise<{ status: number; headers: Headers; body: unknown }>
}

const retryAfterCapMs = 300_000

/** Makes the client of one session. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { session, clock = systemClock, isUnauthorized = unauthorizedBy() } = options
  const once = createSender({
    base: baseUrlOf(options.baseUrl),
    send: options.fetch ?? globalThis.fetch.bind(globalThis),
    clock,
    defaultMs: options.timeoutMs ?? 30_000,
  })

  const noToken = () =>
    session.getSnapshot().reason === 'expired'
      ? new SessionExpiredError('The session has ended')
      : new SignedOutError('Not signed in')

  /** Error for a request of `sessionId` that cannot be sent under the current session. */
  const notOf = (sessionId: string | null) => {
    const current = session.getSnapshot().sessionId
    return current && current !== sessionId ? new SessionChangedError('Another session has begun') : noToken()
  }

  /** Renews a refused token. Returns when the request may be replayed, throws the caller's error otherwise. */
  async function renew(token: AccessToken, refused: () => Promise<Error>, signal: AbortSignal | null | undefined) {
    const isCurrent = () => session.getSnapshot().sessionId === token.sessionId
    const outcome = isCurrent()
      ? await session.refreshSession({ rejectedGeneration: token.generation, signal })
      : 'superseded'
    if (!isCurrent()) throw notOf(token.sessionId)
    if (outcome === 'rotated' || outcome === 'adopted') return
    const { status, retryAt } = session.getSnapshot()
    if (status === 'authenticated') throw await refused()
    throw unavailableUntil(retryAt ?? clock.now() + 1000)
  }

  /** Handles a response without success. Returns when the request is to be replayed, throws the caller's error otherwise. */
  async function onRefusal(sent: Sent, token: AccessToken | null, init: ApiRequestInit, isReplay: boolean) {
    const { status, headers, read } = sent
    if (!token || !isUnauthorized({ status, errorName: status === 400 ? nameOf(await read()) : null })) {
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
    sent.drop()
  }

  /** The session of a request. Known before the first await, except during page start. */
  async function ownerOf({ sessionId }: ApiRequestInit): Promise<string | null> {
    const now = session.getSnapshot()
    return sessionId ?? (now.status === 'initializing' ? await session.initialize() : now).sessionId
  }

  async function exchange(path: string, init: ApiRequestInit): Promise<Sent> {
    if (!path.startsWith('/')) throw new TypeError('A path begins with /')
    const isSigned = init.auth !== 'none' && !new Headers(init.headers).has('authorization')
    const owner = isSigned ? await ownerOf(init) : null
    for (let isReplay = false; ; isReplay = true) {
      const token = isSigned ? await session.getAccessToken({ signal: init.signal }) : null
      if (isSigned && token?.sessionId !== owner) throw notOf(owner)
      const sent = await once(path, init, token)
      if (sent.ok) {
        if (token) session.confirmAccess(token)
        return sent
      }
      await onRefusal(sent, token, init, isReplay)
    }
  }

  const httpError = (status: number, headers: Headers, body: unknown) =>
    status === 429
      ? Object.assign(new RateLimitError(status, headers, body), {
          retryAfterMs: retryAfterMs(headers, clock.now(), retryAfterCapMs),
        })
      : new HttpError(status, headers, body)

  return {
    async request(path, init = {}) {
      const { status, headers, read } = await exchange(path, init)
      return { status, headers, body: await read() }
    },
  }
}

const nameOf = (body: unknown): string | null => {
  const name = (body as { error?: { name?: unknown } } | null | undefined)?.error?.name
  return typeof name === 'string' ? name : null
}
