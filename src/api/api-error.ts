// One shape for everything that can go wrong, for the part of the dashboard that shows it.
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
  /** The server refused and said why: `message` is for people, in their language. */
  | 'refused'
  | 'network'
  /** The browser had no network before the request: nothing was sent. */
  | 'offline'
  | 'timeout'
  | 'rate_limited'
  /** The session is over, or cannot be renewed at the moment (then `isTransient`). */
  | 'session'
  /** A success that does not fit the contract. */
  | 'answer'
  /** A refusal without a readable body, or a fault of ours. */
  | 'unknown'

export interface ApiFailure {
  readonly kind: ApiFailureKind
  /** For programs: `error.name` of the wire, else the class of the error. */
  readonly name: string
  /** The server's sentence when `kind` is `refused` or it gave one; otherwise English, and `kind` is what to translate. */
  readonly message: string
  /** Sentences by refused field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** `error.data` of the wire. */
  readonly data: Readonly<Record<string, unknown>>
  readonly status: number | null
  /** Trying again may help. */
  readonly isTransient: boolean
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | null
  readonly cause: unknown
}

/**
 * Explains whatever was thrown.
 * @example const { fields, message } = toApiError(mutation.error)
 */
export function toApiError(error: unknown): ApiFailure {
  const said = error instanceof HttpError ? saidIn(error.body) : undefined
  const fields: Record<string, string[]> = {}
  for (const { property, constraints } of said?.validator_error ?? []) {
    if (property !== undefined) (fields[property] ??= []).push(...Object.values(constraints ?? {}))
  }
  return {
    kind: kindOf(error, said !== undefined),
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

/** What a refusal says. Without a schema: a server that leaves out half of it is heard, and a broken page needs none. */
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

function kindOf(error: unknown, isReadable: boolean): ApiFailureKind {
  if (isOffline(error)) return 'offline'
  if (sessionErrors.some((type) => error instanceof type)) return 'session'
  if (error instanceof RateLimitError) return 'rate_limited'
  if (error instanceof AnswerError) return 'answer'
  if (error instanceof TimeoutError) return 'timeout'
  if (error instanceof NetworkError) return 'network'
  return isReadable ? 'refused' : 'unknown'
}

/** The request was not sent: there was no network at its start, or none to renew the session before it. */
const isOffline = (error: unknown): boolean =>
  error instanceof RefreshUnavailableError
    ? globalThis.navigator?.onLine === false
    : error instanceof NetworkError && !error.maybeProcessed
