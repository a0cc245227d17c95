// What can go wrong on purpose. Thrown anywhere; the edge turns them into answers (`failures.ts`).
import type { ValidationError as Violation } from '#contract/core/wire.ts'

/** A refusal with a name for programs and a sentence for people. Everything else that is thrown is our bug. */
export class AppError extends Error {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  constructor(status: number, name: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = name
    this.status = status
    this.data = data
  }
}

const toldMax = 3

/** The first violations in words: `project_id is missing. period must be one of month, year.` */
function sentencesOf(violations: readonly Violation[]): string {
  const all = violations.flatMap(({ property = '', constraints = {} }) =>
    // What begins with a small letter goes on where the name of the parameter ends; the rest are whole sentences.
    Object.values(constraints).map((text) => `${property}${/^[a-z]/.test(text) ? ' ' : ': '}${text}.`),
  )
  const more = all.length > toldMax ? ` And ${all.length - toldMax} more.` : ''
  return all.slice(0, toldMax).join(' ') + more
}

/** Parameters that are not what the contract says. The name is the published one. */
export class ValidationError extends AppError {
  readonly violations: readonly Violation[]
  constructor(violations: readonly Violation[], message = sentencesOf(violations)) {
    super(400, 'I18nValidationException', message)
    this.violations = violations
  }
}

/**
 * A rule of the product that forbids what was asked for.
 * @example throw new RuleError('NotEnoughMoney', 'The balance does not cover it', { missing: 1200 })
 */
export class RuleError extends AppError {
  constructor(name: string, message: string, data?: Readonly<Record<string, unknown>>) {
    super(400, name, message, data)
  }
}

/** No access token, or a dead one: the client refreshes. */
export class UnauthorizedError extends AppError {
  constructor(message = 'The access token is missing or no longer good') {
    super(401, 'Unauthorized', message)
  }
}

/** Signed in, but not allowed. The same for what does not exist, so that nobody can ask what does. */
export class ForbiddenError extends AppError {
  constructor(message = 'You have no right to do this') {
    super(403, 'Forbidden', message)
  }
}

/** Nothing is there, under any method. */
export class NotFoundError extends AppError {
  constructor(name = 'NotFound', message = 'There is nothing here') {
    super(404, name, message)
  }
}

/** A refusal that passes by itself: the answer says after how many seconds to retry (`Retry-After`). */
export class RetryLaterError extends AppError {
  readonly retryAfterSeconds: number
  constructor(status: number, name: string, message: string, retryAfterSeconds: number) {
    super(status, name, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Too many calls. */
export class RateLimitedError extends RetryLaterError {
  constructor(retryAfterSeconds: number) {
    super(429, 'TooManyRequests', 'Too many requests. Try again later.', retryAfterSeconds)
  }
}
