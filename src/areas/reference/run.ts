// Runs an operation with the user's input and keeps the response unchanged.
import type { Operation } from '#contract/core/operation.ts'
import { AnswerError } from '#src/api/answer-error.ts'
import { type ApiFailure, toApiError } from '#src/api/api-error.ts'
import { parseAnswer, requestOf } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { HttpError } from '#src/session/errors.ts'

export interface Outcome {
  /** Null without a response. */
  readonly status: number | null
  readonly ms: number
  /** Parsed response body; undefined for none. */
  readonly body: unknown
  readonly failure: ApiFailure | null
  /** Contract violation of a successful response. */
  readonly misfit: AnswerError | null
}

/** Sends the filled-in parameters as typed; the service validates them. */
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
