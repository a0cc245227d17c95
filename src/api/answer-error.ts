// An answer that is a success by its status and not what the contract says by its content.
import { ApiError } from '#src/session/errors.ts'

export class AnswerError extends ApiError {
  override name = 'AnswerError'
  /** Id of the operation, for example `tariffs.restream.slots`. */
  readonly operation: string
  /** Path of the first field that does not fit, for example `current.date_end`; empty for the answer as a whole. */
  readonly path: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** What the server sent. */
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
