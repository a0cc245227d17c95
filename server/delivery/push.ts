// Sends notifications to subscribed browsers: web push (RFC 8030, 8291, 8292) by the library `web-push`, loaded with the first call.
import type { Services } from '#server/core/context.ts'
import type { Message, Outcome } from '#server/domain/notifications/outbox.ts'
import { type PushTarget, pushTargets } from '#server/domain/notifications/addresses.ts'
import { removePush } from '#server/domain/notifications/addresses-store.ts'
import { vapidKeys } from '#server/domain/notifications/vapid.ts'
import { compose } from './compose.ts'
import type { HostBackoff } from './host-backoff.ts'
import { post } from './post.ts'

/** Push services keep a message for a browser that is off for this long, seconds. */
const lifeSeconds = 86_400
/** Push services accept 4 KB of encrypted content. */
const textMax = 700
/** A response after this time counts as a failure of its host. */
const slowMs = 5_000

/** Creates the sender of web push: to all browsers of a user. Browsers that ended their subscription are removed. */
export function createPushSender(hosts: HostBackoff) {
  return async function sendByPush(services: Services, message: Message): Promise<Outcome> {
    const targets = await pushTargets(services, message.userId)
    const outcomes = await Promise.all(targets.map((target) => sendTo(services, message, { target, hosts })))
    // One browser that shows it is enough: the others would repeat it there.
    for (const is of ['sent', 'unknown'] as const) if (outcomes.some((one) => one.is === is)) return { is }
    return outcomes.find(({ is }) => is === 'refused') ?? { is: 'gone' }
  }
}

async function sendTo(
  services: Services,
  message: Message,
  { target, hosts }: { readonly target: PushTarget & { readonly token: string }; readonly hosts: HostBackoff },
): Promise<Outcome> {
  const { config, db, log } = services
  const { host } = new URL(target.endpoint)
  const pauseMs = hosts.enter(host)
  if (pauseMs > 0) return { is: 'refused', retryAfterMs: pauseMs }
  const request = await requestOf(services, message, target).catch((error: unknown) => {
    log.warn({ err: error }, 'A subscription of a browser is invalid')
    return null
  })
  const from = performance.now()
  const result = request && (await post(target.endpoint, { ...request, allowPrivate: config.allowPrivateDestinations }))
  if (result?.is === 'answer' && performance.now() - from < slowMs) hosts.answered(host)
  else if (result !== null) hosts.failed(host)
  if (result === null || (result.is === 'answer' && [400, 404, 410].includes(result.status))) {
    await removePush(db, target.token, null)
    return { is: 'gone' }
  }
  if (result.is !== 'answer') return result
  return result.status < 300 ? { is: 'sent' } : { is: 'refused', retryAfterMs: result.retryAfterMs }
}

/** Content of a message; the service worker of the dashboard reads it (public/worker.js). */
export function payloadOf(message: Message) {
  const { title, text } = compose(message, null)
  const [only] = message.items
  const path = message.items.length === 1 ? only?.link : null
  const url = path ?? `/p/${message.projectId}/notifications`
  return { title: title.slice(0, 200), text: text.slice(0, textMax), url, tag: message.id }
}

async function requestOf(services: Services, message: Message, { endpoint, p256dh, auth }: PushTarget) {
  const { default: webPush } = await import('web-push')
  const payload = JSON.stringify(payloadOf(message))
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject: subjectOf(services), ...(await vapidKeys(services)) },
    TTL: lifeSeconds,
    urgency: 'high',
    // At most 32 characters: a later message with the same topic replaces one that was not delivered yet.
    topic: message.id.replaceAll('-', ''),
  })
  return { headers: headers as Record<string, string>, body: body ?? Buffer.alloc(0) }
}

/** Contact of the installation for push services. */
const subjectOf = ({ config: { publicUrl } }: Services): string =>
  publicUrl?.startsWith('https:') ? publicUrl : 'mailto:notifications@relaydeck.invalid'
