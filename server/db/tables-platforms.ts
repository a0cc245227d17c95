// Tables of accounts on platforms (migration 0006).
import type { Generated } from 'kysely'
import type { AccountPlatform } from '#contract/entities/platform-account.ts'

/** Names of OAuth registrations, as `ProviderName` of the settings. */
type Provider = 'google' | 'twitch' | 'vk' | 'vk-id' | 'vkvideolive' | 'ok' | 'trovo'

export interface PlatformTables {
  /** Somebody is at a provider and may come back. */
  oauth_states: {
    id: Generated<number>
    /** The state itself is nowhere. */
    hash: string
    provider: Provider
    purpose: string
    user_id: number | null
    project_id: number | null
    redirect_uri: string
    /** 1: asked for an ID token. */
    openid: 0 | 1
    /** JSON, for who began. */
    data: string
    /** What the provider answered, while the person has not come to say so. */
    answer_sealed: string | null
    date_expire: string
  }
  /** An account of a person on a platform. */
  platform_accounts: {
    id: Generated<number>
    user_id: number
    platform: AccountPlatform
    /** The platform's own id of it. */
    external_id: string
    name: string
    avatar: string
    /** 1 works; 0 has to be connected again. */
    status: 0 | 1
    /** `OAuthTokens` as JSON, sealed. */
    tokens_sealed: string
    /** Until then one replica fetches new tokens, and the others wait. */
    date_lease: string | null
    date_create: string
    date_update: string
  }
  /** What a channel has at its platform beside its settings; no row: nothing. */
  channel_platforms: {
    channel_id: number
    /** The planned stream that the next broadcast goes to. */
    planned_id: string | null
    /** Token of the community, sealed. */
    community_sealed: string | null
  }
  /** A chat of Telegram that a channel is told about, or the code that waits for one. */
  telegram_chats: {
    channel_id: number
    /** Hash of the code; null once a chat has come. */
    code_hash: string | null
    chat_id: string | null
    name: string
    domain: string
    filter_mode: number
    message_id: number | null
    link: string
    date_update: string
  }
  /** Posts that the bot has seen in connected chats. */
  telegram_posts: {
    id: Generated<number>
    chat_id: string
    message_id: number
    text: string
    /** JSON. */
    attachments: string
    pinned: 0 | 1
    date_create: string
  }
  /** Up to where the bot has read: one row. */
  telegram_offsets: {
    id: number
    next_update: number
  }
}
