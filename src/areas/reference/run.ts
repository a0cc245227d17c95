// Calls an operation as a reader asked for it, and keeps what came back as it came.
import type { Operation } from '#contract/core/operation.ts'
import { AnswerError } from '#src/api/answer-error.ts'
import { type ApiFailure, toApiError } from '#src/api/api-error.ts'
import { parseAnswer, requestOf } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { HttpError } from '#src/session/errors.ts'

export interface Outcome {
  /** Null when no answer came. */
  readonly status: number | null
  readonly ms: number
  /** The body as it came; undefined when there was none. */
  readonly body: unknown
  readonly failure: ApiFailure | null
  /** Where a success does not fit the contract. */
  readonly misfit: AnswerError | null
}

/** Sends the parameters that were filled in, as they were typed: a wrong one is the server's to refuse. */
export async function run(op: Operation, values: Readonly<Record<string, string>>): Promise<Outcome> {
  const { client, language } = apiRuntime()
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const { path, init } = requestOf(op, filled, language())
  const start = performance.now()
  const took = () => Math.round(performance.now() - start)
  try {
    const auth = op.auth === 'none' ? 'none' : 'required'
    const { status, body } = await client.request(path, { ...init, auth, replay: op.replay })
    return { status, ms: took(), body, failure: null, misfit: misfitOf(op, body) }
  } catch (error) {
    const failure = toApiError(error)
    const body = error instanceof HttpError ? error.body : undefined
    return { status: failure.status, ms: took(), body, failure, misfit: null }
  }
}

function misfitOf(op: Operation, body: unknown): AnswerError | null {
  try {
    parseAnswer(op, body)
    return null
  } catch (error) {
    if (error instanceof AnswerError) return error
    throw error
  }
}
