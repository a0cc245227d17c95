// The refresh call itself, outside of everything that serves other requests, and what each possible answer means.
import { isToken, retryAfterMs } from './wire.ts'
import type { AuthSessionConfig, Clock, DegradedCause, RefreshTiming, TokenPair, TokenRecord } from './types.ts'

/** Path of the refresh operation; a test holds it against the contract. */
export const refreshPath = '/method/auth/refresh-access'
/** Path of sign-out. */
export const logoutPath = '/method/auth/logout'

/** `quick`: a second try at once makes sense. */
export type Verdict =
  | { kind: 'rotated'; pair: TokenPair }
  | { kind: 'rejected' }
  | { kind: 'unavailable'; cause: DegradedCause; pauseMs: number | null; quick: boolean }

/** What the calls need to know. */
export interface Wire {
  readonly config: AuthSessionConfig
  readonly base: string
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly timing: RefreshTiming
}

/** A JSON POST that carries no credentials but its body. */
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

/** Calls refresh once. Never rejects; only its own time limit aborts it. */
export async function callRefresh(wire: Wire, record: TokenRecord, isOnline: () => boolean): Promise<Verdict> {
  const { config, clock, timing } = wire
  const controller = new AbortController()
  const timer = clock.setTimeout(() => controller.abort(), timing.timeoutMs)
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
      { signal: controller.signal },
    )
    const { status, headers } = response
    if (status === 200 || status === 201) return pairOf(await response.text())
    void response.body?.cancel().catch(() => {})
    if ((config.rejectedStatuses ?? [400, 401]).includes(status)) return { kind: 'rejected' }
    const isBusy = [408, 425, 429].includes(status) || status >= 500
    const pauseMs = isBusy ? retryAfterMs(headers, clock.now(), timing.retryAfterCapMs) || null : null
    const cause = status === 429 ? 'rate_limited' : status === 204 ? 'malformed' : 'server'
    return unavailable(cause, (isBusy || status === 204) && !pauseMs, pauseMs)
  } catch {
    // No answer, half an answer, a redirect, no time left: the server may have rotated, so the same token is sent again.
    return isOnline() ? unavailable('network', true) : unavailable('offline', false)
  } finally {
    clock.clearTimeout(timer)
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
