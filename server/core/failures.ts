// Error bodies in the shape of the wire (published `ErrorResponse`). No other module creates them.
import type { FastifyError } from 'fastify'
import type * as z from 'zod/mini'
import type { ErrorBody, ValidationError as Violation } from '#contract/core/wire.ts'
import { type Fault, faultOf } from '#server/db/faults.ts'
import { AppError, RetryLaterError, ValidationError } from './errors.ts'

/** An error response. */
export interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
  /** Message of the log entry; null for refusals that need no entry. */
  readonly log: string | null
}

const retrySeconds = 5
/** Responses to faults of the database, with the message of the log. */
const faults: Readonly<Record<Fault, { readonly error: AppError; readonly log: string }>> = {
  full: {
    error: new RetryLaterError(
      503,
      'DiskFull',
      'The disk of the service is full. Nothing can be saved until it has room',
      retrySeconds,
    ),
    log: 'The disk is full',
  },
  unavailable: {
    error: new RetryLaterError(
      503,
      'DatabaseUnavailable',
      'The database of the service is unreachable or overloaded. Try again in some seconds',
      retrySeconds,
    ),
    log: 'The database is unavailable',
  },
}

/** Returns the error for a body of the wrong content type. */
function wantsType(what: string, type: string): AppError {
  return new AppError(415, 'UnsupportedMediaType', `Send the body as ${what}, with the header Content-Type: ${type}`)
}

/** Errors of the web framework, by its codes. */
const frameworkRefusals: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wantsType('JSON', 'application/json'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: wantsType('a form', 'multipart/form-data'),
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError(400, 'BadRequest', 'The body is not JSON that can be read'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError(400, 'BadRequest', 'The body is not as long as Content-Length says'),
  FST_ERR_BAD_URL: new AppError(400, 'BadRequest', 'The address cannot be read: a % in it begins no character'),
  FST_MP_PREMATURE_CLOSE: new AppError(400, 'BadRequest', 'The form breaks off before its end'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, 'PayloadTooLarge', 'The body is too large'),
  FST_REQ_FILE_TOO_LARGE: new AppError(413, 'PayloadTooLarge', 'The file is too large'),
  FST_PARTS_LIMIT: new AppError(413, 'PayloadTooLarge', 'The form has too many parts'),
  FST_FIELDS_LIMIT: new AppError(413, 'PayloadTooLarge', 'The form has too many fields'),
  FST_FILES_LIMIT: new AppError(413, 'PayloadTooLarge', 'The form has too many files'),
}

/**
 * Converts any thrown value into an error response.
 * @param requestId part of the message for bugs of the service, so that the log entry can be found
 */
export function failureOf(error: unknown, requestId: string): Failure {
  if (error instanceof AppError) return refusal(error)
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkRefusals[code]
  if (known) return refusal(known)
  // Other requests that cannot be parsed: malformed forms, malformed headers.
  if (statusCode >= 400 && statusCode < 500) {
    return refusal(new AppError(400, 'BadRequest', 'The request cannot be read'))
  }
  const fault = faultOf(error)
  if (fault) return { ...refusal(faults[fault].error), log: faults[fault].log }
  const sentence = 'Something went wrong here. The log of the service knows it by this id.'
  return { ...refusal(new AppError(500, 'InternalError', sentence, { id: requestId })), log: 'Failed' }
}

function refusal(error: AppError): Failure {
  const violations = error instanceof ValidationError ? { validator_error: [...error.violations] } : {}
  return {
    status: error.status,
    headers: error instanceof RetryLaterError ? { 'retry-after': String(error.retryAfterSeconds) } : {},
    body: { error: { name: error.name, msg: error.message, ...violations, options: {}, data: { ...error.data } } },
    log: null,
  }
}

/**
 * Converts the issues of a schema into violations, one per parameter.
 * @param sent the validated value: distinguishes missing parameters from invalid ones
 */
export function violationsOf(issues: readonly z.core.$ZodIssue[], sent: unknown): Violation[] {
  return issues.map((issue) => ({
    property: issue.path.map(String).join('.'),
    constraints: isMissing(issue, sent) ? { required: 'is missing' } : { [issue.code]: sentenceOf(issue) },
  }))
}

function isMissing({ path }: z.core.$ZodIssue, sent: unknown): boolean {
  const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], sent)
  return value === undefined
}

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  file: 'a file',
}
/** Units of lengths; numbers have none. */
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', file: ' bytes' }

/** Texts for the issues that occur: zod/mini has none. A text never repeats the value that was sent. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      return `${mustBe(issue.origin)} at least ${issue.minimum}${units[issue.origin] ?? ''}`
    case 'too_big':
      return `${mustBe(issue.origin)} at most ${issue.maximum}${units[issue.origin] ?? ''}`
    case 'invalid_format':
      return 'does not have the expected form'
    default:
      return 'is not valid'
  }
}

const mustBe = (origin: string): string => (origin in units ? 'must have' : 'must be')
