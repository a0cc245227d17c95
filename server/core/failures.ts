// Error bodies in the shape of the wire (published `ErrorResponse`). No other module creates them.
import type { FastifyError } from 'fastify'
import type * as z from 'zod/mini'
import { languages } from '#contract/core/codes.ts'
import type { ErrorBody, Language } from '#contract/core/wire.ts'
import { type Fault, faultOf } from '#server/db/faults.ts'
import { AppError, RetryLaterError, ValidationError } from './errors.ts'
import { type ParameterText, refusedIn, type Violation } from './refusals.ts'

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
    error: new RetryLaterError(503, 'DiskFull', retrySeconds),
    log: 'The disk is full',
  },
  unavailable: {
    error: new RetryLaterError(503, 'DatabaseUnavailable', retrySeconds),
    log: 'The database is unavailable',
  },
}

/** Errors of the web framework, by its codes. */
const frameworkRefusals: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, 'UnsupportedMediaType_json'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: new AppError(415, 'UnsupportedMediaType_form'),
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError(400, 'BadRequest_json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError(400, 'BadRequest_length'),
  FST_ERR_BAD_URL: new AppError(400, 'BadRequest_address'),
  FST_MP_PREMATURE_CLOSE: new AppError(400, 'BadRequest_cut'),
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, 'PayloadTooLarge'),
  FST_REQ_FILE_TOO_LARGE: new AppError(413, 'PayloadTooLarge_file'),
  FST_PARTS_LIMIT: new AppError(413, 'PayloadTooLarge_parts'),
  FST_FIELDS_LIMIT: new AppError(413, 'PayloadTooLarge_fields'),
  FST_FILES_LIMIT: new AppError(413, 'PayloadTooLarge_files'),
}

/** Returns the language of a call: its parameter `language`, in the query or in the body; default English (brief 4.1). */
export function languageOf({ query, body }: { readonly query?: unknown; readonly body?: unknown }): Language {
  const sent = [query, body].map((place) => (Object(place) as { readonly language?: unknown }).language)
  return languages.find((language) => sent.includes(language)) ?? 'en'
}

/**
 * Converts any thrown value into an error response.
 * @param requestId part of the message for bugs of the service, so that the log entry can be found
 */
export function failureOf(error: unknown, requestId: string, language: Language): Failure {
  if (error instanceof AppError) return refusal(error, language)
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkRefusals[code]
  if (known) return refusal(known, language)
  // Other requests that cannot be parsed: malformed forms, malformed headers.
  if (statusCode >= 400 && statusCode < 500) return refusal(new AppError(400, 'BadRequest'), language)
  const fault = faultOf(error)
  if (fault) return { ...refusal(faults[fault].error, language), log: faults[fault].log }
  return { ...refusal(new AppError(500, 'InternalError', { id: requestId }), language), log: 'Failed' }
}

function refusal(error: AppError, language: Language): Failure {
  const violations = error instanceof ValidationError ? { validator_error: refusedIn(language, error.violations) } : {}
  const { name, status, data } = error
  return {
    status,
    headers: error instanceof RetryLaterError ? { 'retry-after': String(error.retryAfterSeconds) } : {},
    body: { error: { name, msg: error.textIn(language), ...violations, options: {}, data: { ...data } } },
    log: error.cause === undefined ? null : error.message,
  }
}

/**
 * Converts the issues of a schema into violations, one per parameter.
 * @param sent the validated value: distinguishes missing parameters from invalid ones
 */
export function violationsOf(issues: readonly z.core.$ZodIssue[], sent: unknown): Violation[] {
  return issues.map((issue) => {
    const property = issue.path.map(String).join('.')
    if (isMissing(issue, sent)) return { property, code: 'required', text: 'missing' }
    return { property, code: issue.code, ...brokenBy(issue) }
  })
}

function isMissing({ path }: z.core.$ZodIssue, sent: unknown): boolean {
  const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], sent)
  return value === undefined
}

const types: Readonly<Record<string, ParameterText['text']>> = {
  string: 'text',
  number: 'number',
  int: 'int',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  record: 'object',
  file: 'file',
}
const atLeast: Readonly<Record<string, ParameterText['text']>> = {
  string: 'at_least_string',
  array: 'at_least_array',
  file: 'at_least_file',
}
const atMost: Readonly<Record<string, ParameterText['text']>> = {
  string: 'at_most_string',
  array: 'at_most_array',
  file: 'at_most_file',
}

/** Texts for the issues that occur: zod/mini has none. A text never repeats the value that was sent. */
function brokenBy(issue: z.core.$ZodIssue): ParameterText {
  switch (issue.code) {
    case 'invalid_type':
      return { text: types[issue.expected] ?? 'type', values: { type: issue.expected } }
    case 'invalid_value':
      return { text: 'one_of', values: { values: issue.values.map(String).join(', ') } }
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return { text: 'not_empty' }
      return { text: atLeast[issue.origin] ?? 'at_least', values: { limit: String(issue.minimum) } }
    case 'too_big':
      return { text: atMost[issue.origin] ?? 'at_most', values: { limit: String(issue.maximum) } }
    case 'invalid_format':
      return { text: 'form' }
    default:
      return { text: 'invalid' }
  }
}
