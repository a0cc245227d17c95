// One error shape for every failure, for the part of the dashboard that shows it.
import type { ErrorBody } from '#contract/core/wire.ts'
import {
  HttpError,
  isTransient,
  NetworkError,
  RateLimitError,
  RefreshUnavailableError,
  SessionChangedError,
  SessionExpiredError,
  SignedOutError,
  TimeoutError,
  UnauthorizedError,
} from '#src/session/errors.ts'
import { AnswerError } from './answer-error.ts'

export type ApiFailureKind =
  /** The server refused with a reason: `message` is for users, in the language of the call. */
  | 'refused'
  | 'network'
  /** The browser had no network before the request: nothing was sent. */
  | 'offline'
  | 'timeout'
  | 'rate_limited'
  /** The session has ended, or cannot be renewed at the moment (then `isTransient`). */
  | 'session'
  /** The server does not have the operation. */
  | 'missing'
  /** A successful response that does not fit the contract. */
  | 'answer'
  /** A refusal without a readable body, or a defect of the dashboard. */
  | 'unknown'

export interface ApiFailure {
  readonly kind: ApiFailureKind
  /** For programs: `error.name` of the wire, else the class of the error. */
  readonly name: string
  /**
   * The server's message when `kind` is `refused` or the response carries one; otherwise English, and the page
   * translates `kind`.
   */
  readonly message: string
  /** Messages by refused field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** `error.data` of the wire. */
  readonly data: Readonly<Record<string, unknown>>
  readonly status: number | null
  /** A retry may succeed. */
  readonly isTransient: boolean
  /** Delay that the server requests before a retry, milliseconds. */
  readonly retryAfterMs: number | null
  readonly cause: unknown
}

/**
 * Converts a thrown value to an `ApiError`.
 * @example const { fields, message } = toApiError(mutation.error)
 */
export function toApiError(error: unknown): ApiFailure {
  const said = error instanceof HttpError ? saidIn(error.body) : undefined
  const fields: Record<string, string[]> = {}
  for (const { property, constraints } of said?.validator_error ?? []) {
    if (property !== undefined) (fields[property] ??= []).push(...Object.values(constraints ?? {}))
  }
  return {
    kind: kindOf(error, said?.name),
    name: said?.name ?? (error instanceof Error ? error.name : 'Error'),
    message: said?.msg ?? (error instanceof Error ? error.message : String(error)),
    fields,
    data: said?.data ?? {},
    status: error instanceof HttpError ? error.status : null,
    isTransient: isTransient(error),
    retryAfterMs: error instanceof RateLimitError ? error.retryAfterMs : null,
    cause: error,
  }
}

/** Content of a refusal. Read without a schema: a partial refusal is still shown, and a broken page loads no schema. */
function saidIn(body: unknown): Pick<ErrorBody['error'], 'name' | 'msg' | 'validator_error' | 'data'> | undefined {
  const { name, msg, validator_error, data } = recordOf(recordOf(body)['error'])
  if (typeof name !== 'string' || typeof msg !== 'string') return undefined
  const refused = Array.isArray(validator_error) ? validator_error.map(recordOf) : []
  return { name, msg, validator_error: refused, data: recordOf(data) }
}

const recordOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>

const sessionErrors = [
  RefreshUnavailableError,
  SessionExpiredError,
  SignedOutError,
  SessionChangedError,
  UnauthorizedError,
]

/** Statuses of a server that does not have the operation, unless the response names a refusal. */
const missing = [404, 405, 501]

/** @param refusal name of the refusal, where the response has one */
function kindOf(error: unknown, refusal: string | undefined): ApiFailureKind {
  if (isOffline(error)) return 'offline'
  if (sessionErrors.some((type) => error instanceof type)) return 'session'
  if (error instanceof RateLimitError) return 'rate_limited'
  if (error instanceof AnswerError) return 'answer'
  if (error instanceof TimeoutError) return 'timeout'
  if (error instanceof NetworkError) return 'network'
  if (refusal !== undefined) return refusal === 'NotServedYet' ? 'missing' : 'refused'
  return error instanceof HttpError && missing.includes(error.status) ? 'missing' : 'unknown'
}

/** The request was not sent: no network at its start, or none to renew the session before it. */
const isOffline = (error: unknown): boolean =>
  error instanceof RefreshUnavailableError
    ? globalThis.navigator?.onLine === false
    : error instanceof NetworkError && !error.maybeProcessed
