// Errors of requests, as classes. None of them holds a token or a Request.
import { isBusy } from './wire.ts'

export class ApiError extends Error {
  override name = 'ApiError'
}

/** A response without success. */
export class HttpError extends ApiError {
  override name = 'HttpError'
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text when it is not JSON. */
  readonly body: unknown
  constructor(status: number, headers: Headers, body: unknown) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** The access token was refused, also after a refresh. `replayable`: a retry by the caller may succeed. */
export class UnauthorizedError extends HttpError {
  override name = 'UnauthorizedError'
  replayable = true
}

/** 429. `retryAfterMs` is `null` without a `Retry-After`. */
export class RateLimitError extends HttpError {
  override name = 'RateLimitError'
  retryAfterMs: number | null = null
}

/** No response. `maybeProcessed`: the request may have reached the server; false without a network at its start. */
export class NetworkError extends ApiError {
  override name = 'NetworkError'
  maybeProcessed = true
}

export class TimeoutError extends NetworkError {
  override name = 'TimeoutError'
}

/** The session exists, but its token cannot be renewed at the moment. */
export class RefreshUnavailableError extends ApiError {
  override name = 'RefreshUnavailableError'
  retryAt = 0
}

/** The error of a session with a known time of its next refresh. */
export const unavailableUntil = (retryAt: number): RefreshUnavailableError =>
  Object.assign(new RefreshUnavailableError('The session cannot be renewed'), { retryAt })

/** The server ended the session. */
export class SessionExpiredError extends ApiError {
  override name = 'SessionExpiredError'
}

/** No user is signed in. */
export class SignedOutError extends ApiError {
  override name = 'SignedOutError'
}

/** Another user signed in while the request was in flight; it was not replayed in their name. */
export class SessionChangedError extends ApiError {
  override name = 'SessionChangedError'
}

/** Returns whether a later retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpError) return isBusy(error.status)
  return error instanceof NetworkError || error instanceof RefreshUnavailableError
}
