// The refresh call, separate from the client of other requests, and the verdict of each possible response.
import { isBusy, isToken, retryAfterMs } from './wire.ts'
import type { AuthSessionConfig, Clock, DegradedCause, RefreshTiming, TokenPair, TokenRecord } from './types.ts'

/** Path of the refresh operation; a test holds it against the contract. */
export const refreshPath = '/method/auth/refresh-access'
/** Path of sign-out. */
export const logoutPath = '/method/auth/logout'

/** `quick`: an immediate second try is useful. */
export type Verdict =
  | { kind: 'rotated'; pair: TokenPair }
  | { kind: 'rejected' }
  | { kind: 'unavailable'; cause: DegradedCause; pauseMs: number | null; quick: boolean }

/** Dependencies of the calls. */
export interface Wire {
  readonly config: AuthSessionConfig
  readonly base: string
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly timing: RefreshTiming
}

/** A JSON POST without credentials other than its body. */
export const post = (wire: Wire, path: string, body: object, init: RequestInit): Promise<Response> =>
  wire.fetch(wire.base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    ...init,
  })

/** Calls refresh once. Never rejects; only `signal` aborts it. */
async function callRefresh(
  wire: Wire,
  record: TokenRecord,
  isOnline: () => boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  const { config, clock, timing } = wire
  const { language } = config
  try {
    const response = await post(
      wire,
      refreshPath,
      {
        v: config.apiVersion,
        language: typeof language === 'function' ? language() : language,
        app: config.app,
        refresh: record.pair?.refreshToken,
        fingerprint: record.fingerprint,
      },
      { signal },
    )
    const { status, headers } = response
    if (status === 200 || status === 201) return pairOf(await response.text())
    void response.body?.cancel().catch(() => {})
    if ((config.rejectedStatuses ?? [400, 401]).includes(status)) return { kind: 'rejected' }
    const mayChange = isBusy(status)
    const pauseMs = mayChange ? retryAfterMs(headers, clock.now(), timing.retryAfterCapMs) || null : null
    const cause = status === 429 ? 'rate_limited' : status === 204 ? 'malformed' : 'server'
    return unavailable(cause, (mayChange || status === 204) && !pauseMs, pauseMs)
  } catch {
    // No response, a truncated one, a redirect, a timeout: the server may have rotated, so the same token is sent
    // again.
    return isOnline() ? unavailable('network', true) : unavailable('offline', false)
  }
}

export interface CallsDeps extends Wire {
  readonly isOnline: () => boolean
  /** Calls `run` when the network comes back. @returns a function that stops listening */
  readonly onOnline: (run: () => void) => () => void
}

/** Remaining time of a call from before the network came back, ms. */
const strandedMs = 1500

/** Calls of one attempt, all with the same token. A late call stays open: the pair of its response counts. */
export function createCalls(deps: CallsDeps) {
  const { clock, timing, isOnline, onOnline } = deps
  const open = new Set<Promise<unknown>>()
  const controller = new AbortController()
  let found: TokenPair | undefined
  let onPair: (pair: TokenPair) => void
  const pair = new Promise<TokenPair>((resolve) => (onPair = resolve))

  return {
    /** The first pair from any call; may never settle. */
    pair,
    /** The same pair, if it has arrived. */
    found: () => found,
    /** Resolves when no call is open. */
    settled: () => Promise.all(open),
    /** Aborts the open calls. */
    close: () => controller.abort(),

    /** Sends a call. Resolves to its verdict, to the pair of an earlier call, or after the time limit of one call. */
    send: (record: TokenRecord) =>
      new Promise<Verdict>((resolve) => {
        const own = new AbortController()
        const patience = (ms: number) => clock.setTimeout(() => done(unavailable('network', true)), ms)
        let timer = patience(timing.timeoutMs)
        const off = onOnline(() => {
          clock.clearTimeout(timer)
          timer = patience(strandedMs)
        })
        const done = (verdict: Verdict) => {
          clock.clearTimeout(timer)
          off()
          resolve(verdict)
        }
        const late = clock.setTimeout(() => own.abort(), timing.lateMs)
        const call = callRefresh(deps, record, isOnline, AbortSignal.any([own.signal, controller.signal]))
          .then((verdict) => {
            if (verdict.kind === 'rotated') onPair((found ??= verdict.pair))
            done(verdict)
          })
          .finally(() => {
            clock.clearTimeout(late)
            open.delete(call)
          })
        open.add(call)
        void pair.then((earlier) => done({ kind: 'rotated', pair: earlier }))
      }),
  }
}

const unavailable = (cause: DegradedCause, quick: boolean, pauseMs: number | null = null): Verdict => ({
  kind: 'unavailable',
  cause,
  quick,
  pauseMs,
})

function pairOf(text: string): Verdict {
  try {
    const { accessToken, refreshToken } = JSON.parse(text)
    if (isToken(accessToken) && isToken(refreshToken)) return { kind: 'rotated', pair: { accessToken, refreshToken } }
  } catch {
    // Falls through.
  }
  return unavailable('malformed', true)
}
