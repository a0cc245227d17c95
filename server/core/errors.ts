// Expected errors. Any module may throw them; `failures.ts` converts them into responses.
import type { ValidationError as Violation } from '#contract/core/wire.ts'

/** Name of an error for programs: a literal with a space is a type error, because it is a sentence. */
type ErrorName<N extends string> = N extends `${string} ${string}` ? never : N

/** A refusal with a name for programs and a sentence for people. Any other thrown value is a bug of the service. */
export class AppError<N extends string = string> extends Error {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  constructor(status: number, name: ErrorName<N>, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = name
    this.status = status
    this.data = data
  }
}

const problemsMax = 3

/** Joins the first violations into sentences: `project_id is missing. period must be one of month, year.` */
function sentencesOf(violations: readonly Violation[]): string {
  const all = violations.flatMap(({ property = '', constraints = {} }) =>
    // Texts in lower case continue the name of the parameter; the others are whole sentences.
    Object.values(constraints).map((text) => `${property}${/^[a-z]/.test(text) ? ' ' : ': '}${text}.`),
  )
  const more = all.length > problemsMax ? ` And ${all.length - problemsMax} more.` : ''
  return all.slice(0, problemsMax).join(' ') + more
}

/** Parameters that violate the contract. The error name is the published one. */
export class ValidationError extends AppError {
  readonly violations: readonly Violation[]
  constructor(violations: readonly Violation[], message = sentencesOf(violations)) {
    super(400, 'I18nValidationException', message)
    this.violations = violations
  }
}

/**
 * A rule of the product that forbids the request.
 * @example throw new RuleError('NotEnoughMoney', 'The balance does not cover it', { missing: 1200 })
 */
export class RuleError<N extends string = string> extends AppError {
  constructor(name: ErrorName<N>, message: string, data?: Readonly<Record<string, unknown>>) {
    super(400, name, message, data)
  }
}

/** The access token is missing or invalid: the client refreshes. */
export class UnauthorizedError extends AppError {
  constructor(message = 'The access token is missing or no longer good') {
    super(401, 'Unauthorized', message)
  }
}

/** Signed in, but not allowed. Unknown resources get the same error, so that it does not reveal which ones exist. */
export class ForbiddenError extends AppError {
  constructor(message = 'You have no right to do this') {
    super(403, 'Forbidden', message)
  }
}

/** Unknown path, for every method. */
export class NotFoundError<N extends string = string> extends AppError {
  constructor(name?: ErrorName<N>, message = 'There is nothing here') {
    super(404, name ?? 'NotFound', message)
  }
}

/** A temporary refusal: `Retry-After` in the response has the seconds until a retry. */
export class RetryLaterError<N extends string = string> extends AppError {
  readonly retryAfterSeconds: number
  constructor(status: number, name: ErrorName<N>, message: string, retryAfterSeconds: number) {
    super(status, name, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The rate limit was exceeded. */
export class RateLimitedError extends RetryLaterError {
  constructor(retryAfterSeconds: number) {
    super(429, 'TooManyRequests', 'Too many requests. Try again later.', retryAfterSeconds)
  }
}
