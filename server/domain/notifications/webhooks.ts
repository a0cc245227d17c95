// Outgoing webhooks of a project: secrets, messages in the transaction of their fact, and the outcome of attempts.
import { randomBytes, randomUUID } from 'node:crypto'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { notify } from './notify.ts'
import { sealKey, unsealKey } from './addresses.ts'
import {
  claimMessages,
  findWebhook,
  insertAttempt,
  insertWebhook,
  listWebhooks,
  updateClaimed,
  updateWebhook,
  type WebhookMessageRow,
  type WebhookRow,
} from './webhooks-store.ts'
import { retryDelay, webhookRetries } from './rules.ts'

/** Webhooks of a project. */
export const webhooksMax = 5
/** A webhook that fails for this long is switched off, milliseconds. */
const failingMaxMs = 5 * dayMs
const claimMs = 60_000

type WebhookServices = Pick<Services, 'db' | 'clock' | 'config'>

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** Adds a webhook. @returns its row, and the secret @throws RuleError `TooManyWebhooks` */
export const addWebhook = (services: WebhookServices, projectId: number, url: string) =>
  transaction(services.db, async (trx) => {
    if ((await listWebhooks(trx, projectId)).length >= webhooksMax)
      throw new RuleError('TooManyWebhooks', `A project can have at most ${webhooksMax} webhooks`, { max: webhooksMax })
    const secret = newSecret()
    const row = await insertWebhook(trx, {
      project_id: projectId,
      url,
      sealed: sealKey(services, secret),
      sealed_old: null,
      date_old_end: null,
      is_on: 1,
      date_failing: null,
      date_create: iso(services.clock.now()),
    })
    return { row, secret }
  })

/** Replaces the secret; the old one signs as well for a day. */
export async function rotateSecret(services: WebhookServices, { id, sealed }: WebhookRow) {
  const secret = newSecret()
  const end = iso(later(services.clock.now(), dayMs))
  await updateWebhook(services.db, id, { sealed: sealKey(services, secret), sealed_old: sealed, date_old_end: end })
  return { secret, end }
}

/** A claimed message with the address and the secrets of its webhook. */
export interface WebhookCall {
  readonly message: WebhookMessageRow
  readonly url: string
  /** One, or two after a rotation; none when `SECRET` has changed since. */
  readonly secrets: readonly string[]
}

/** Claims messages that are due, for 60 s. */
export async function claimWebhooks(services: WebhookServices, limit: number): Promise<WebhookCall[]> {
  const { db, clock } = services
  const now = iso(clock.now())
  const until = iso(later(clock.now(), claimMs))
  const messages = await claimMessages(db, { claim: randomUUID(), now, until, limit })
  const calls = await Promise.all(messages.map((message) => callOf(services, db, message, now)))
  return calls.filter((call) => call !== null)
}

async function callOf(services: Reading<WebhookServices>, db: ReadDb, message: WebhookMessageRow, now: string) {
  const row = await findWebhook(db, message.webhook_id, null)
  if (!row) return null
  const isBoth = row.sealed_old !== null && row.date_old_end !== null && row.date_old_end > now
  const sealed = [row.sealed, ...(isBoth && row.sealed_old !== null ? [row.sealed_old] : [])]
  return { message, url: row.url, secrets: sealed.map((one) => unsealKey(services, one)).filter((one) => one !== null) }
}

/** Outcome of an attempt. `status`: of the response; null: none. */
export interface WebhookOutcome {
  readonly result: 'sent' | 'refused' | 'unknown'
  readonly status: number | null
  /** The secret cannot be read, because `SECRET` has changed. */
  readonly isUnreadable?: boolean
}

/**
 * Stores an attempt. 410, an unreadable secret, or failures for five days switch the webhook off and notify the owners.
 * @returns whether the message failed for good
 */
export const finishWebhook = (services: WebhookServices, message: WebhookMessageRow, outcome: WebhookOutcome) =>
  transaction(services.db, async (trx): Promise<boolean> => {
    const now = services.clock.now()
    const attempts = message.attempts + 1
    const { result, status, isUnreadable = false } = outcome
    const isSent = result === 'sent'
    const pause = retryDelay(webhookRetries, attempts)
    const isEnd = status === 410 || isUnreadable
    const isOver = isEnd || pause === null
    const change = isSent
      ? ({ state: 'sent' } as const)
      : isOver
        ? ({ state: 'failed' } as const)
        : ({ date_due: iso(later(now, pause)) } as const)
    if (!(await updateClaimed(trx, message, { ...change, attempts }))) return false
    const { webhook_id, message_id, kind } = message
    await insertAttempt(trx, { webhook_id, message_id, kind, result, status, date_create: iso(now) })
    const row = await findWebhook(trx, webhook_id, null)
    if (isSent && row) await updateWebhook(trx, row.id, { date_failing: null })
    if (isSent || !row) return !isSent && isOver
    const since = row.date_failing ?? iso(now)
    const isStopped = isEnd || Date.parse(since) + failingMaxMs <= now.getTime()
    await updateWebhook(trx, row.id, { date_failing: since, ...(isStopped && { is_on: 0 }) })
    if (isStopped && row.is_on === 1) await reportStopped(services, trx, row, isUnreadable ? 'secret' : 'failing')
    return isOver
  })

async function reportStopped(
  services: WebhookServices,
  trx: Trx,
  { id, project_id: projectId, url }: WebhookRow,
  reason: 'failing' | 'secret',
) {
  const params = { host: new URL(url).host, reason }
  const ref = `${id}.${iso(services.clock.now())}`
  await notify(services, trx, { kind: 'webhook_stopped', projectId, ref, params })
}
