// Failures of commands for chats at platforms.
import type { ChatReason } from './chat.ts'
import { RuleError } from './errors.ts'

/** Reason why a platform did not take a message or an act of moderation. */
export type ChatSendReason =
  | ChatReason
  /** The platform limits the rate; `retryAfter` says for how long. */
  | 'too_fast'
  /** The text exceeds the limit of the platform. */
  | 'too_long'
  /** The platform dropped the text: filters, or the same text again. */
  | 'rejected'
  /** The message or the author no longer exists there, or is out of reach (older than 6 hours, a moderator). */
  | 'gone'
  /** The platform has no such command. */
  | 'unsupported'
  /** No response: the outcome is unknown. */
  | 'unknown'

/** A command that a platform refused, or whose outcome is unknown. */
export class ChatSendError extends RuleError {
  readonly reason: ChatSendReason
  /** Seconds until the next attempt may succeed; null: unknown. */
  readonly retryAfter: number | null
  /** @param message for the log, in English */
  constructor(reason: ChatSendReason, message: string, retryAfter: number | null = null) {
    super(`ChatRefused_${reason}`, { reason, ...(retryAfter === null ? {} : { retry_after: retryAfter }) })
    this.message = message
    this.reason = reason
    this.retryAfter = retryAfter
  }
}
