// Posts messages to webhooks, signed by Standard Webhooks (standardwebhooks.com). Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import {
  claimWebhooks,
  finishWebhook,
  type WebhookCall,
  type WebhookOutcome,
} from '#server/domain/notifications/webhooks.ts'
import type { OnFailed } from './outbox.ts'
import { post } from './post.ts'

const perRound = 20
/** Rounds of one run; the next run continues. */
const roundsMax = 50

/** Posts what is due, one message of a webhook at a time. Runs may overlap. @returns number of messages */
export async function runWebhooks(services: Services, onFailed: OnFailed = () => undefined): Promise<number> {
  let count = 0
  for (let round = 0; round < roundsMax; round++) {
    const posted = await postNext(services, onFailed)
    if (posted === 0) break
    count += posted
  }
  return count
}

async function postNext(services: Services, onFailed: OnFailed): Promise<number> {
  const calls = await claimWebhooks(services, perRound)
  await Promise.all(
    calls.map(async (call) => {
      try {
        const isFailed = await finishWebhook(services, call.message, await send(services, call))
        onFailed('webhook', isFailed ? 1 : 0)
      } catch (error) {
        services.log.error({ err: error }, 'A webhook could not be sent')
      }
    }),
  )
  return calls.length
}

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
