// Tables of outgoing webhooks. Times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'

export interface WebhookTables {
  webhooks: {
    id: Generated<number>
    project_id: number
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
