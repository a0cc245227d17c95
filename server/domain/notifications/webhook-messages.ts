// Messages to the webhooks of a project, written in the transaction of their fact.
import { randomUUID } from 'node:crypto'
import { iso, later } from '#server/core/clock.ts'
import { scheduleJobs } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { insertMessages, listWebhooks, webhookKind } from './webhooks-store.ts'

/** A fact for the webhooks of its project. */
export interface WebhookFact {
  readonly kind: string
  readonly projectId: number
  /** Identity: a second call with the same writes nothing. */
  readonly fact: string
  readonly params: object
  readonly now: Date
  /** Settling time, milliseconds. */
  readonly inMs: number
}

/** Writes one message for each webhook of the project that is on. */
export async function queueWebhooks(
  trx: Trx,
  { kind, projectId, fact, params, now, inMs }: WebhookFact,
): Promise<void> {
  const on = (await listWebhooks(trx, projectId)).filter(({ is_on }) => is_on === 1)
  if (on.length === 0) return
  const body = JSON.stringify({ type: kind, timestamp: iso(now), data: { project_id: projectId, ...params } })
  const ids = await insertMessages(
    trx,
    on.map(({ id }) => ({
      webhook_id: id,
      message_id: `msg_${randomUUID().replaceAll('-', '')}`,
      kind,
      fact,
      body,
      state: 'waiting',
      date_due: iso(later(now, inMs)),
      date_create: iso(now),
    })),
  )
  await scheduleJobs(
    trx,
    ids.map((id) => ({ ...webhookKind, key: String(id) })),
    { inMs },
  )
}
