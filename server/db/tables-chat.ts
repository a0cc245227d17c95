// Tables of chats. `platform_key` is unique in a broadcast: see `platformKey` of the concept `chat`.
import type { Generated } from 'kysely'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChatCapability, ChatMessage, ChatMessageRestream } from '#contract/entities/chat-message.ts'

type Flag = 0 | 1

export interface ChatTables {
  /** Counters of a broadcast. Locked by every transaction that stores rows, so that commits are in the order of `seq`. */
  chat_heads: {
    broadcast_id: number
    /** Number of the last change of the chat: of a message or of the star. */
    seq: number
    /** Stored messages. */
    total: number
    /** Time of the oldest message that was not removed by retention. */
    date_oldest: string | null
    /** Message that overlays show until it is cleared; also the id of one that was deleted since. */
    star_event_id: Generated<string | null>
    /** Number of the last change of the star. */
    star_rev: Generated<number>
  }
  /** Counters of a restream. */
  chat_counts: { restream_id: number; broadcast_id: number; received: number; skipped: number }
  chat_messages: {
    broadcast_id: number
    seq: number
    /** Number of the last change; at first that of the message. */
    rev: number
    event_id: string
    /** Null: sent from here, see `chat_targets`. */
    restream_id: number | null
    /** Platform of the author; empty: sent from here. */
    platform: PlatformType | ''
    platform_id: string | null
    platform_key: string | null
    author_id: string
    kind: ChatMessage['kind']
    text: string
    /** Text and author name for search (`foldText`). */
    folded: string
    /** JSON of `MessageBody`. */
    body: string
    reply_event_id: string | null
    reply_id: string | null
    is_outgoing: Flag
    is_late: Flag
    /** `own`: it was sent from here, and came back before its id was known. No list has it. */
    hidden: ChatMessage['hidden'] | 'own'
    /** Time at the platform. */
    date_create: string
    /** Time of the insert. */
    date_store: string
    /** Time of the deletion, which overwrote texts. */
    date_delete: string | null
  }
  /** A message that was sent from here, by the id that the client gave it. */
  chat_sends: {
    event_id: string
    project_id: number
    client_id: string
    content_hash: string
    /** `user 7` or `key 7`. */
    sender: string
    date_create: string
  }
  /** Outcome of a sent message at one restream. */
  chat_targets: {
    event_id: string
    restream_id: number
    broadcast_id: number
    platform: PlatformType
    state: ChatMessageRestream['state']
    platform_id: string | null
    platform_key: string | null
    error: string | null
    retry_after: number | null
    attempt: number
    date_update: string
  }
  /** The reader of a source: one replica owns it (`owners`). */
  chat_readers: {
    source: string
    platform: PlatformType
    /** Position at the platform after the last stored message. */
    cursor: string | null
    state: ChatCapability['state']
    reason: ChatCapability['reason']
    date_retry: string | null
    /** Time since which it does not read; null: it reads. */
    date_gap: string | null
  }
  /** Source of a restream's chat. */
  chat_feeds: { restream_id: number; broadcast_id: number; source: string }
  /** Time in which messages may be missing. */
  chat_gaps: {
    id: Generated<number>
    broadcast_id: number
    restream_id: number
    date_from: string
    date_to: string
    reason: string | null
  }
  /** Projects whose chat is watched. */
  chat_watches: { project_id: number; date_until: string }
  chat_settings: {
    project_id: number
    /** JSON: list of texts. */
    words: string
    hide_bots: Flag
    hide_commands: Flag
    /** Seconds. */
    hold_back: number
    /** Null: the limit of the service. */
    keep_days: number | null
  }
  chat_muted: { project_id: number; platform: PlatformType; author_id: string; name: string; date_create: string }
  /** Log of moderation. */
  chat_acts: {
    id: Generated<number>
    broadcast_id: number
    restream_id: number | null
    author_id: string | null
    author_name: string
    event_id: string | null
    act: 'timeout' | 'untimeout' | 'ban' | 'unban' | 'hide' | 'show' | 'delete'
    seconds: number | null
    user_id: number | null
    key_id: number | null
    /** Id that ends the act at the platform. */
    lift_id: string | null
    error: string | null
    date_create: string
  }
  /** Keys of overlays and docks. */
  chat_keys: {
    id: Generated<number>
    project_id: number
    /** Empty: the first key, created by a read of `chat/key`. */
    name: string
    rights: 'read' | 'write'
    /** Last four signs; empty: unknown. */
    hint: string
    key_sealed: string
    key_hash: string
    date_create: string
    date_use: string | null
    date_revoke: string | null
  }
}
