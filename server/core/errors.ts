// Expected errors. Any module may throw them; `failures.ts` converts them into responses.
import type { Language } from '#contract/core/wire.ts'
import { type RefusalKey, refusalText, sentencesOf, type Values, type Violation } from './refusals.ts'

/** Returns the reason of a failure. `fetch` keeps it in the cause of its error. */
export function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** A refusal with a name for programs and a sentence for users. Any other thrown value is a bug of the service. */
export class AppError extends Error {
  readonly status: number
  readonly data: Values
  readonly #text: (language: Language) => string
  /** @param values of the text, where `data` of the wire has not all of them */
  constructor(status: number, key: RefusalKey, data: Values = {}, values: Values = data) {
    super(refusalText('en', key, values))
    this.name = key.replace(/_.*/, '')
    this.status = status
    this.data = data
    this.#text = (language) => refusalText(language, key, values)
  }

  /** Returns the sentence in a language. `message` is in English, for logs. */
  textIn(language: Language): string {
    return this.#text(language)
  }
}

/** Parameters that violate the contract. The error name is the published one. */
export class ValidationError extends AppError {
  readonly violations: readonly Violation[]
  /** @param key text instead of the sentences of the violations */
  constructor(violations: readonly Violation[], key?: 'I18nValidationException_body') {
    super(400, key ?? 'I18nValidationException')
    this.violations = violations
    if (key === undefined) this.message = this.textIn('en')
  }

  override textIn(language: Language): string {
    return this.violations.length > 0 ? sentencesOf(language, this.violations) : super.textIn(language)
  }
}

/**
 * A rule of the product that forbids the request.
 * @example throw new RuleError('TooManyMembers', { max: membersMax })
 */
export class RuleError extends AppError {
  constructor(key: RefusalKey, data?: Values, values?: Values) {
    super(400, key, data, values)
  }
}

/** A change of a project that an operator has suspended. */
export class SuspendedError extends AppError {
  constructor() {
    super(403, 'ProjectSuspended')
  }
}

/** The access token is missing or invalid: the client refreshes. */
export class UnauthorizedError extends AppError {
  constructor(key: Extract<RefusalKey, `Unauthorized${string}`> = 'Unauthorized') {
    super(401, key)
  }
}

/** Signed in, but not allowed. Unknown resources get the same error, so that it does not reveal which ones exist. */
export class ForbiddenError extends AppError {
  constructor(key: Extract<RefusalKey, `Forbidden${string}`> = 'Forbidden') {
    super(403, key)
  }
}

/** Unknown path, for every method. */
export class NotFoundError extends AppError {
  constructor(key: RefusalKey = 'NotFound') {
    super(404, key)
  }
}

/** A temporary refusal: `Retry-After` in the response has the seconds until a retry. */
export class RetryLaterError extends AppError {
  readonly retryAfterSeconds: number
  /** @param cause reason for the log; default: nothing is logged */
  constructor(status: number, key: RefusalKey, retryAfterSeconds: number, cause?: unknown) {
    super(status, key)
    if (cause !== undefined) this.cause = cause
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The rate limit was exceeded. */
export class RateLimitedError extends RetryLaterError {
  constructor(retryAfterSeconds: number) {
    super(429, 'TooManyRequests', retryAfterSeconds)
  }
}
