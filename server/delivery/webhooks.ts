// Posts messages to webhooks, signed by Standard Webhooks (standardwebhooks.com).
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import {
  findCall,
  finishWebhook,
  type WebhookCall,
  type WebhookOutcome,
} from '#server/domain/notifications/webhooks.ts'
import { listWebhooksToSend, webhookKind } from '#server/domain/notifications/webhooks-store.ts'
import { backoff, leaseMs, type OnFailed, parkAfter } from './outbox.ts'
import { post } from './post.ts'

/** Webhooks at a time in one replica: receivers that do not answer for 15 s must not delay the messages of others. */
const atOnce = 200

/** Creates the kind of the jobs that post the messages of a webhook, one message a run. */
export const createWebhookJob = (onFailed: OnFailed = () => undefined): JobKind => ({
  ...webhookKind,
  leaseMs,
  atOnce,
  backoff,
  parkAfter,
  missing: async (db) => (await listWebhooksToSend(db)).map(String),
  async run(services, job) {
    const call = await findCall(services, Number(job.key))
    if (call === 'done' || 'againMs' in call) return call
    const isFailed = await finishWebhook(services, job, call.message, await send(services, call))
    onFailed('webhook', isFailed ? 1 : 0)
    return 'done'
  },
})

async function send({ clock, config }: Services, { message, url, secrets }: WebhookCall): Promise<WebhookOutcome> {
  if (secrets.length === 0) return { result: 'refused', status: null, isUnreadable: true }
  const { Webhook } = await import('standardwebhooks')
  const { message_id: id, body } = message
  const now = clock.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Relaydeck',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
  const result = await post(url, { headers, body, allowPrivate: config.allowPrivateDestinations })
  if (result.is !== 'answer') return { result: result.is, status: null }
  const isSent = result.status >= 200 && result.status < 300
  return { result: isSent ? 'sent' : 'refused', status: result.status }
}
