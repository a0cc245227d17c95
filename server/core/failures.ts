// The only place where an error body is made: whatever was thrown, in the wire's shape (published `ErrorResponse`).
import type { FastifyError } from 'fastify'
import type * as z from 'zod/mini'
import type { ErrorBody, ValidationError as Violation } from '#contract/core/wire.ts'
import { AppError, RateLimitedError, ValidationError } from './errors.ts'

/** A refusal as it leaves. `bug` says that somebody should look into the log. */
export interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
  readonly bug: boolean
}

/** What the web framework refuses by itself, by its own codes. */
const frameworkRefusals: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, 'UnsupportedMediaType', 'The body has another content type'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: new AppError(415, 'UnsupportedMediaType', 'The body has another content type'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, 'PayloadTooLarge', 'The body is too large'),
  FST_REQ_FILE_TOO_LARGE: new AppError(413, 'PayloadTooLarge', 'The file is too large'),
  FST_PARTS_LIMIT: new AppError(413, 'PayloadTooLarge', 'The form has too many parts'),
  FST_FIELDS_LIMIT: new AppError(413, 'PayloadTooLarge', 'The form has too many fields'),
  FST_FILES_LIMIT: new AppError(413, 'PayloadTooLarge', 'The form has too many files'),
}

/**
 * Turns anything thrown into a refusal.
 * @param requestId shown with our own bugs, so that they can be found in the log
 */
export function failureOf(error: unknown, requestId: string): Failure {
  if (error instanceof AppError) return refusal(error)
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkRefusals[code]
  if (known) return refusal(known)
  // Requests that cannot be read at all: broken JSON, broken forms, headers out of shape.
  if (statusCode >= 400 && statusCode < 500) {
    return refusal(new AppError(400, 'BadRequest', 'The request cannot be read'))
  }
  const sentence = 'Something went wrong here. The log of the service knows it by this id.'
  return { ...refusal(new AppError(500, 'InternalError', sentence, { id: requestId })), bug: true }
}

function refusal(error: AppError): Failure {
  const violations = error instanceof ValidationError ? { validator_error: [...error.violations] } : {}
  return {
    status: error.status,
    headers: error instanceof RateLimitedError ? { 'retry-after': String(error.retryAfterSeconds) } : {},
    body: { error: { name: error.name, msg: error.message, ...violations, options: {}, data: { ...error.data } } },
    bug: false,
  }
}

/** What a schema refused, one entry per parameter. */
export function violationsOf(issues: readonly z.core.$ZodIssue[]): Violation[] {
  return issues.map((issue) => ({
    property: issue.path.map(String).join('.'),
    constraints: { [issue.code]: sentenceOf(issue) },
  }))
}

/** zod/mini carries no texts: the few that matter are here. What was sent is never repeated. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    default:
      return 'is not valid'
  }
}
