// Tables of accounts on platforms.
import type { Generated } from 'kysely'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { AccountPlatform, OAuthName } from '#contract/platforms/platforms.ts'

export interface PlatformTables {
  /** A pending authorization: the user is at the provider. */
  oauth_states: {
    id: Generated<number>
    /** Hash of the state, which is stored nowhere. */
    hash: string
    provider: OAuthName
    purpose: 'platform' | 'community' | 'sign-in' | 'connect'
    user_id: number | null
    project_id: number | null
    redirect_uri: string
    /** 1: an ID token was requested. */
    openid: 0 | 1
    /** Data of the initiator, JSON. */
    data: string
    /** Response of the provider, encrypted, until the user confirms it. */
    answer_sealed: string | null
    date_expire: string
  }
  /** An account of a user on a platform. */
  platform_accounts: {
    id: Generated<number>
    user_id: number
    platform: AccountPlatform
    /** The platform's own id of the account. */
    external_id: string
    name: string
    avatar: string
    /** 1: works. 0: has to be connected again. */
    status: 0 | 1
    /** `OAuthTokens` as JSON, sealed. */
    tokens_sealed: string
    /** Granted OAuth scopes, separated by spaces; null: unknown, connected before they were stored. */
    scopes: Generated<string | null>
    date_create: string
    date_update: string
  }
  /** Used units of the quota that a platform gives the whole installation. */
  platform_quota: {
    platform: PlatformType
    /** Day of the platform's time zone, `2026-11-22`. */
    day: string
    /** Chat, and everything else. */
    purpose: 'read' | 'write' | 'broadcast'
    units: number
    /** 1: the platform refused with a used-up quota. */
    gone: 0 | 1
  }
  /** Data of a channel at its platform besides its settings; no row: none. */
  channel_platforms: {
    channel_id: number
    /** The planned stream that receives the next broadcast. */
    planned_id: string | null
    /** Token of the community, encrypted. */
    community_sealed: string | null
  }
  /** A Telegram chat that is connected to a channel, or the code that waits for one. */
  telegram_chats: {
    channel_id: number
    /** Hash of the code; null after a chat was connected. */
    code_hash: string | null
    chat_id: string | null
    /** The group that holds the comments of a channel; a connected group itself. Null: none known. */
    discussion_id: Generated<string | null>
    name: string
    domain: string
    filter_mode: number
    message_id: number | null
    link: string
    date_update: string
  }
  /** Posts in connected chats that the bot has received. */
  telegram_posts: {
    id: Generated<number>
    chat_id: string
    message_id: number
    text: string
    /** JSON. */
    attachments: string
    pinned: 0 | 1
    /** The message of the discussion group under which the comments are; null: unknown. */
    thread_id: Generated<number | null>
    date_create: string
  }
  /** Position up to which the bot has read: one row. */
  telegram_offsets: { id: number; next_update: number }
  /** Chats whose readers take messages from `chat_inbox`. */
  chat_inboxes: {
    /** Platform and its id of the chat, `telegram:-100123`. */
    source: string
    /** Messages are kept until then: Unix milliseconds by the database's clock. */
    until: number
  }
  /** Messages that a platform delivered to one replica, until the reader of the chat has taken them. */
  chat_inbox: {
    id: Generated<number>
    source: string
    /** The platform's id of the delivery: each is kept once. */
    external_id: string
    /** JSON. */
    body: string
    date_create: string
  }
}
