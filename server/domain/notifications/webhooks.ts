// Outgoing webhooks of a project: secrets, messages in the transaction of their fact, and the outcome of attempts.
import { randomBytes } from 'node:crypto'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { type Job, outcomeOf } from '#server/core/jobs.ts'
import { type Outcome, scheduleJob } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { notify } from './notify.ts'
import { sealKey, unsealKey } from './addresses.ts'
import { heardKinds } from './webhook-messages.ts'
import {
  findDueMessage,
  findNextMessageDue,
  findWebhook,
  insertAttempt,
  insertWebhook,
  listHearers,
  listWebhooks,
  updateMessage,
  updateResent,
  updateWebhook,
  webhookKind,
  type WebhookMessageRow,
  type WebhookRow,
} from './webhooks-store.ts'
import { retryDelay, webhookRetries } from './rules.ts'

/** Webhooks that the owners of a project add. */
export const webhooksMax = 5
/** Webhooks of one program. */
export const webhooksOfProgramMax = 3
/** A webhook that fails for this long is switched off, milliseconds. */
const failingMaxMs = 5 * dayMs

type WebhookServices = Pick<Services, 'db' | 'clock' | 'config'>

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/**
 * Adds a webhook.
 * @param familyId session of the program that registers it; null: an owner
 * @returns its row, and the secret
 * @throws RuleError `TooManyWebhooks`
 */
export const addWebhook = (services: WebhookServices, projectId: number, url: string, familyId: number | null) =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const max = familyId === null ? webhooksMax : webhooksOfProgramMax
    const all = await listWebhooks(trx, projectId, iso(services.clock.now()))
    if (all.filter((row) => row.family_id === familyId).length >= max) throw new RuleError('TooManyWebhooks', { max })
    const secret = newSecret()
    const row = await insertWebhook(trx, {
      project_id: projectId,
      family_id: familyId,
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

/** Switches a webhook on or off. Messages that wait are sent when it is on. */
export const switchWebhook = ({ db }: WebhookServices, id: number, isOn: boolean): Promise<void> =>
  transaction(db, async (trx) => {
    await updateWebhook(trx, id, { is_on: isOn ? 1 : 0, ...(isOn && { date_failing: null }) })
    if (isOn) await scheduleJob(trx, webhookKind, id)
  })

/** Has a message sent again. @returns whether the webhook has it */
export const resendMessage = ({ db, clock }: WebhookServices, id: number, messageId: string): Promise<boolean> =>
  transaction(db, async (trx) => {
    const isKnown = await updateResent(trx, id, messageId, iso(clock.now()))
    if (isKnown) await scheduleJob(trx, webhookKind, id, { skipsBackoff: true })
    return isKnown
  })

/** A message with the address and the secrets of its webhook. */
export interface WebhookCall {
  readonly message: WebhookMessageRow
  readonly url: string
  /** One, or two after a rotation; none when `SECRET` has changed since. */
  readonly secrets: readonly string[]
}

/** Returns the oldest due message of a webhook; without one, the outcome of a run that has nothing to send. */
export async function findCall(services: Reading<WebhookServices>, id: number): Promise<WebhookCall | Outcome> {
  const { db, clock } = services
  const now = clock.now()
  const row = await findWebhook(db, id, null)
  if (row?.is_on !== 1) return 'done'
  // A program that has lost its access, or a right, receives nothing of it, also of what waits.
  const hearer = (await listHearers(db, row.project_id, iso(now))).find((one) => one.id === id)
  if (!hearer) return 'done'
  const heard = heardKinds(hearer)
  const message = await findDueMessage(db, id, { now: iso(now), heard })
  if (!message) return outcomeOf(await findNextMessageDue(db, id, heard), now)
  const isBoth = row.sealed_old !== null && row.date_old_end !== null && row.date_old_end > iso(now)
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
 * Stores an attempt, and ends the run with the time of the next message. 410, an unreadable secret, or failures for five days
 * switch the webhook off and notify the owners.
 * @returns whether the message failed for good
 */
export const finishWebhook = (
  services: WebhookServices,
  job: Job,
  message: WebhookMessageRow,
  outcome: WebhookOutcome,
): Promise<boolean> =>
  transaction(services.db, async (trx) => {
    await job.fence(trx)
    const now = services.clock.now()
    const isFailed = await storeAttempt(services, trx, message, { ...outcome, now })
    const row = await findWebhook(trx, message.webhook_id, null)
    await job.finish(trx, row?.is_on === 1 ? outcomeOf(await findNextMessageDue(trx, row.id), now) : 'done')
    return isFailed
  })

/** @returns whether the message failed for good */
async function storeAttempt(
  services: WebhookServices,
  trx: Trx,
  message: WebhookMessageRow,
  { result, status, isUnreadable = false, now }: WebhookOutcome & { readonly now: Date },
): Promise<boolean> {
  const attempts = message.attempts + 1
  const isSent = result === 'sent'
  const pause = retryDelay(webhookRetries, attempts)
  const isEnd = status === 410 || isUnreadable
  const isOver = isEnd || pause === null
  const change = isSent
    ? ({ state: 'sent' } as const)
    : isOver
      ? ({ state: 'failed' } as const)
      : ({ date_due: iso(later(now, pause)) } as const)
  const { webhook_id, message_id, kind } = message
  // A message without a row was removed with its webhook, or after its time.
  if (!(await updateMessage(trx, message.id, { ...change, attempts }))) return false
  await insertAttempt(trx, { webhook_id, message_id, kind, result, status, date_create: iso(now) })
  const row = await findWebhook(trx, webhook_id, null)
  if (isSent && row) await updateWebhook(trx, row.id, { date_failing: null })
  if (isSent || !row) return !isSent && isOver
  const since = row.date_failing ?? iso(now)
  const isStopped = isEnd || Date.parse(since) + failingMaxMs <= now.getTime()
  await updateWebhook(trx, row.id, { date_failing: since, ...(isStopped && { is_on: 0 }) })
  if (isStopped && row.is_on === 1) await reportStopped(services, trx, row, isUnreadable ? 'secret' : 'failing')
  return isOver
}

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
