// Error for a successful response whose body does not fit the contract.
import { ApiError } from '#src/session/errors.ts'

export class AnswerError extends ApiError {
  override name = 'AnswerError'
  /** Id of the operation, for example `tariffs.restream.slots`. */
  readonly operation: string
  /** Path of the first field that does not fit, for example `current.date_end`; empty for the whole response. */
  readonly path: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** Body of the response. */
  readonly answer: unknown
  constructor(operation: string, issues: AnswerError['issues'], answer: unknown) {
    const path = issues[0]?.path ?? ''
    super(`${operation}: the answer does not fit the contract at ${path || 'its root'}`)
    this.operation = operation
    this.path = path
    this.issues = issues
    this.answer = answer
  }
}
