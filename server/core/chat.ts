// Types that chat readers, chat rules and the composition share: chat sources, events of a chat, commands for platforms.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { chatKinds, chatReasons, chatRoles } from '#contract/entities/chat-message.ts'
import { isYoutube, youtubePage } from './youtube-page.ts'

/** Reason of a chat's state that its platform gives (table in docs/chat.md). */
export type ChatReason = Exclude<(typeof chatReasons)[number], 'plan' | 'unsupported'>

/** A chat at a platform. Several restreams may share it; one reader serves all of them. */
export interface ChatPlace {
  /** Unique key, from `chatSourceKey`. */
  readonly source: string
  readonly platform: PlatformType
  /** The platform's own id of the channel; empty: unknown. */
  readonly externalId: string
  /** Page of the channel at the platform; empty: unknown. */
  readonly page: string
  /** Connected account that reads and writes; null: read without an account, as far as the platform allows. */
  readonly accountId: number | null
  /** The platform's own id of the broadcast, where each broadcast has a chat of its own. */
  readonly videoId: string | null
  /** Changes when the account is connected again: a reader that the platform refused starts again. */
  readonly revision?: string
}

/** Part of a message, in reading order; the texts together are the text of the message. */
export type ChatEntity =
  | { readonly type: 'text'; readonly text: string }
  /** `image`: HTTPS URL on a host of the platform's table, or null. `name` is the text that the emoji replaces. */
  | { readonly type: 'emoji'; readonly id: string; readonly name: string; readonly image: string | null }
  | { readonly type: 'mention'; readonly text: string; readonly id?: string }
  | { readonly type: 'link'; readonly text: string; readonly url: string }

/** Text of entities: the names of emoji, and the texts of the others. */
export const textOfEntities = (entities: readonly ChatEntity[]): string =>
  entities.map((entity) => (entity.type === 'emoji' ? entity.name : entity.text)).join('')

export interface ChatBadge {
  readonly id: string
  readonly title: string
  readonly image?: string
}

export type ChatRole = (typeof chatRoles)[number]

/** Author of a message. */
export interface ChatSender {
  /** The platform's own id. */
  readonly id: string
  readonly name: string
  readonly login?: string
  /** `#rrggbb`. */
  readonly color?: string
  readonly avatar?: string
  readonly badges: readonly ChatBadge[]
  readonly roles: readonly ChatRole[]
}

/** A message of a platform, cleaned: no control characters and bidi overrides, at most 2,000 characters, never markup. */
export interface PlatformMessage {
  /** The platform's own id; a message is stored once per broadcast and id. */
  readonly id: string
  readonly kind: (typeof chatKinds)[number]
  readonly text: string
  readonly entities: readonly ChatEntity[]
  readonly sender: ChatSender
  /** Time at the platform. */
  readonly createdAt: Date
  /** Shown, never booked. `amount` in minor units of `currency` (ISO 4217, or `bits`). */
  readonly paid?: { readonly amount: number; readonly currency: string; readonly text: string }
  /** The platform's id of the message that this one answers. */
  readonly replyTo?: string
  /** Caught up after a gap or at the start: older than the connection. */
  readonly late?: true
  /** Sent by the connected account of the place. */
  readonly own?: true
}

/** Event of a chat. The queue makes `skipped`; readers yield the others. */
export type ChatEvent =
  | { readonly is: 'message'; readonly message: PlatformMessage; readonly cursor?: string }
  | { readonly is: 'deleted'; readonly id: string }
  /** All messages of an author were removed, or all messages of the chat. */
  | { readonly is: 'cleared'; readonly senderId?: string }
  /** Messages since that time may be missing: the platform cannot repeat them. */
  | { readonly is: 'gap'; readonly since: Date; readonly reason?: ChatReason }
  | {
      readonly is: 'state'
      readonly state: 'connecting' | 'reading' | 'waiting' | 'failed'
      readonly reason?: ChatReason
      /** Time of the next attempt, where it is known. */
      readonly until?: Date
    }
  /** The queue was full and dropped that number of plain messages. */
  | { readonly is: 'skipped'; readonly count: number }
  /** The chat has ended at the platform. */
  | { readonly is: 'ended' }

/** A message to write. */
export interface ChatOutgoing {
  readonly text: string
  /** The platform's id of the message to answer. */
  readonly replyTo?: string
  /** Unique for the send; platforms that take one ignore a repetition. */
  readonly nonce: string
}

/**
 * Commands for platforms. Each calls the platform once and never retries a write whose outcome is unknown.
 * @throws ChatSendError, in `server/core/chat-errors.ts`
 */
export interface ChatControl {
  /** Writes a message. @returns the platform's id; null where the platform tells none */
  send(place: ChatPlace, message: ChatOutgoing): Promise<{ readonly id: string | null }>
  /** Deletes a message. */
  remove(place: ChatPlace, messageId: string): Promise<void>
  /** Bans an author; `seconds`: for that time only. @returns the id that `lift` needs, where the platform has one */
  restrict(place: ChatPlace, senderId: string, seconds: number | null): Promise<{ readonly liftId?: string }>
  /** Ends a ban or a timeout. */
  lift(place: ChatPlace, senderId: string, liftId?: string): Promise<void>
  /** Starts wanted readers without waiting for the next round. */
  wake(): void
}

/**
 * Returns the key of a chat: the platform and its channel id, else the name in the address of the page.
 * @returns null when neither is known
 * @example chatSourceKey({ platform: 'twitch', externalId: '', page: 'https://www.twitch.tv/Some_One' }) // 'twitch:@some_one'
 */
export function chatSourceKey(channel: Pick<ChatPlace, 'platform' | 'externalId' | 'page'>): string | null {
  if (channel.externalId !== '') return `${channel.platform}:${channel.externalId}`
  const name = chatPageName(channel.page)
  return name === null ? null : `${channel.platform}:@${name}`
}

/**
 * Returns the name in an address, in lower case and without `@`: the last segment of the path, at YouTube the channel, handle or
 * video. Null when there is none.
 */
export function chatPageName(page: string): string | null {
  if (!URL.canParse(page)) return null
  if (isYoutube(new URL(page).hostname)) return youtubePage(page)?.id.toLowerCase() ?? null
  const last = new URL(page).pathname.split('/').findLast((part) => part !== '')
  return last === undefined ? null : last.replace(/^@/, '').toLowerCase()
}
