// Failures of calls, as values.
import type { ErrorName } from './types.gen.ts'

/** The service refused the call. */
export interface Refused {
  readonly kind: 'refused'
  readonly status: number
  /** Name for programs; other versions of the service may have more. */
  readonly name: ErrorName | (string & {})
  /** Sentence for users, in the language of the client. */
  readonly message: string
  /** Refused parameters, each with its sentences. */
  readonly fields: readonly { readonly name: string; readonly messages: readonly string[] }[]
  /** Facts, such as the missing `scope` of `ScopeMissing`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Milliseconds to wait before the next call; null: not limited. */
  readonly retryAfterMs: number | null
}

/** No response. The service may have done the write. `aborted`: by the signal of the caller. */
export interface Unreachable {
  readonly kind: 'unreachable' | 'timeout' | 'aborted'
  readonly message: string
}

/** A response of something else than the service, such as the error page of a proxy. */
export interface Unexpected {
  readonly kind: 'unexpected'
  readonly status: number
  readonly message: string
}

/** There is no token: the grant of the app has ended, or no user has connected it. */
export interface SignedOut {
  readonly kind: 'signed-out'
  readonly message: string
}

/** Why a call failed. */
export type CallError = Refused | Unreachable | Unexpected | SignedOut

/** Result of a call. */
export type Result<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: CallError }

/** Error that `unwrap` throws. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly error: CallError
  constructor(error: CallError) {
    super(error.message)
    this.error = error
  }
}

/** Returns the data of a result. @throws CallFailed */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.data
  throw new CallFailed(result.error)
}

/** Returns whether the same call may succeed later. */
export const isTransient = (error: CallError): boolean =>
  error.kind === 'unreachable' ||
  error.kind === 'timeout' ||
  ((error.kind === 'refused' || error.kind === 'unexpected') && (error.status === 429 || error.status >= 500))

interface Body {
  readonly error?: {
    readonly name?: string
    readonly msg?: string
    readonly validator_error?: readonly {
      readonly property?: string
      readonly constraints?: Readonly<Record<string, string>>
    }[]
    readonly data?: Readonly<Record<string, unknown>>
  }
}

/** Returns the error of a response without success. */
export function errorOf(response: Response, body: unknown): CallError {
  const { status, headers } = response
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as Body
  if (typeof error?.name !== 'string') return { kind: 'unexpected', status, message: `Unexpected response: ${status}` }
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    kind: 'refused',
    status,
    name: error.name,
    message: error.msg ?? error.name,
    fields: (error.validator_error ?? []).map(({ property = '', constraints = {} }) => ({
      name: property,
      messages: Object.values(constraints),
    })),
    data: error.data ?? {},
    retryAfterMs: Number.isFinite(wait) ? wait * 1000 : null,
  }
}
