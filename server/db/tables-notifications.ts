// Tables of notifications and webhooks. Times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { NotificationKind, NotifyCategory, NotifyChannel } from '#contract/entities/notification.ts'

/**
 * State of a delivery. `sending`: in the batch of its lane. `unknown`: the outcome of the call is unknown, and it is not repeated.
 * `failed`: all attempts failed. `skipped`: the user has lost the right, or the same text was sent before.
 */
export type StoredDeliveryState = 'waiting' | 'sending' | 'sent' | 'unknown' | 'failed' | 'skipped'

export interface NotificationTables {
  notifications: {
    id: Generated<number>
    user_id: number
    project_id: number
    kind: NotificationKind
    category: NotifyCategory
    /** JSON. */
    params: string
    /** Identity of the fact; unique for each user. */
    fact: string
    /** 1: listed in the dashboard. */
    in_cabinet: number
    /** 1: an open banner. */
    is_screen: Generated<number>
    /** Rises when a joined notification has news to send. */
    version: Generated<number>
    /** Name of the action that the user has run. */
    done: string | null
    date_create: string
    /** End of the settling time; hidden before. */
    date_show: string
    date_read: string | null
  }
  notification_deliveries: {
    id: Generated<number>
    notification_id: number
    lane_id: number
    channel: Exclude<NotifyChannel, 'cabinet'>
    state: StoredDeliveryState
    date_due: string
    attempts: Generated<number>
    /** Message that it is part of. */
    batch: string | null
    /** Version of the notification that was sent last. */
    version: Generated<number>
    /** Hash of the text that was sent last. */
    mark: string | null
    date_sent: string | null
  }
  /** One recipient, project and channel. Its deliveries are sent one message after the other. */
  notification_lanes: {
    id: Generated<number>
    /** 0 for the publication to the open pages of a project (`cabinet`). */
    user_id: number
    project_id: number
    channel: NotifyChannel
    /** Message that is being sent; also its Message-ID. */
    batch: string | null
    /** Pause after the last message. */
    window_ms: Generated<number>
    date_last: string | null
    /** Date of `day_count`, UTC. */
    day: string | null
    day_count: Generated<number>
  }
  /** Cells of the matrix that differ from the defaults. */
  notify_settings: {
    user_id: number
    project_id: number
    channel: NotifyChannel
    category: NotifyCategory
    is_on: number
  }
  /** Quiet hours. */
  notify_preferences: {
    user_id: number
    /** `HH:MM`. */
    quiet_from: string
    quiet_to: string
    time_zone: string
    /** 1: important notifications are sent in quiet hours. */
    quiet_important: number
  }
  push_subscriptions: {
    id: Generated<number>
    user_id: number
    /** Session that subscribed the browser. */
    family_id: number
    /** Hash of the endpoint. */
    token: string
    /** Encrypted endpoint and keys, as JSON. */
    sealed: string
    device: string
    date_create: string
  }
  telegram_links: { user_id: number; chat_id: string; name: string; date_create: string }
  telegram_link_tokens: { hash: string; user_id: number; date_expire: string }
  /** Keys of the installation, generated once. */
  service_keys: { name: string; sealed: string; date_create: string }
}

// Tables of outgoing webhooks. Times as ISO 8601 text in UTC.

export interface WebhookTables {
  webhooks: {
    id: Generated<number>
    project_id: number
    /** Token family of the program that registered it; null: an owner added it. */
    family_id: number | null
    url: string
    /** Secret, encrypted. */
    sealed: string
    /** Secret before the rotation, and the end of its use. */
    sealed_old: string | null
    date_old_end: string | null
    is_on: number
    /** First failure since the last success. */
    date_failing: string | null
    date_create: string
  }
  webhook_messages: {
    id: Generated<number>
    webhook_id: number
    /** `webhook-id` of every attempt. */
    message_id: string
    kind: string
    /** Identity of the fact; unique for each webhook. */
    fact: string
    /** JSON. */
    body: string
    state: 'waiting' | 'sent' | 'failed'
    attempts: Generated<number>
    date_due: string
    date_create: string
  }
  webhook_attempts: {
    id: Generated<number>
    webhook_id: number
    message_id: string
    kind: string
    /** Status of the response; null: none. */
    status: number | null
    result: 'sent' | 'refused' | 'unknown'
    date_create: string
  }
}
