// The interface that every chat platform implements, and the errors that end a reader.
import type { PlatformType } from '#contract/platforms/platforms.ts'
import type { ChatControl, ChatEvent, ChatOutgoing, ChatPlace, ChatReason } from '#server/core/chat.ts'
import type { Services } from '#server/core/context.ts'

/** Services of readers. */
export type ChatServices = Pick<
  Services,
  'db' | 'clock' | 'config' | 'limits' | 'log' | 'relay' | 'realtime' | 'caches' | 'platforms'
>

/** Context of a command. */
export interface ChatContext {
  readonly services: ChatServices
  readonly place: ChatPlace
  /** Cancels the command after its timeout. */
  readonly signal: AbortSignal
}

/** Context of a reader. `signal` aborts when the reader has to stop: not wanted, lease lost, shutdown. */
export interface ReaderContext extends ChatContext {
  /** Counts a frame that could not be read; the reader drops it and continues. */
  malformed(): void
}

/** A platform. Implementations hold no state between calls: the supervisor owns readers. */
export interface ChatSource extends Partial<CommandsOfSource> {
  /**
   * Reads a chat: connects once, and never reconnects. Frees the connection when the signal aborts or the iterator returns.
   * The first event is `state: reading`. No frame of the platform makes it throw anything but the three errors.
   * @param cursor position of an earlier reader; null: from now on
   * @throws ChatLost the supervisor reconnects with backoff; ChatRefused it gives up; QuotaGone it waits
   */
  open(ctx: ReaderContext, cursor: string | null): AsyncIterable<ChatEvent>
}

/** Platforms by type. The code of a platform is imported when its first reader starts. */
export type ChatSources = Readonly<Partial<Record<PlatformType, () => Promise<ChatSource>>>>

/** `ChatControl` with the context instead of the place. Each throws `ChatSendError`. */
interface CommandsOfSource {
  send(ctx: ChatContext, message: ChatOutgoing): ReturnType<ChatControl['send']>
  remove(ctx: ChatContext, messageId: string): ReturnType<ChatControl['remove']>
  restrict(ctx: ChatContext, senderId: string, seconds: number | null): ReturnType<ChatControl['restrict']>
  lift(ctx: ChatContext, senderId: string, liftId?: string): ReturnType<ChatControl['lift']>
}

/** The connection ended or failed. The supervisor reconnects. */
export class ChatLost extends Error {
  /** True: messages between this connection and the next one are lost, because the platform cannot repeat them. */
  readonly isGap: boolean
  constructor(message: string, options: { readonly isGap?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'ChatLost'
    this.isGap = options.isGap ?? true
  }
}

/** The platform refuses, and the same attempt would be refused again. The reader stops until the reason is gone. */
export class ChatRefused extends Error {
  readonly reason: ChatReason
  constructor(reason: ChatReason, message: string) {
    super(message)
    this.name = 'ChatRefused'
    this.reason = reason
  }
}

/** The quota is used up until a time. */
export class QuotaGone extends Error {
  readonly until: Date
  constructor(until: Date) {
    super(`The quota is used up until ${until.toISOString()}`)
    this.name = 'QuotaGone'
    this.until = until
  }
}
