// Webhooks of Kick (docs.kick.com/events/webhook-security): signature, age, and delivery to the reader of the chat.
import { type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { jsonOf } from '#server/core/provider-http.ts'
import { deliver, wakeInboxes } from './inbox.ts'
import { kickKey, newerKickKey } from './kick-key.ts'

/** Oldest accepted message; Kick repeats failed deliveries within minutes. */
const ageMaxMs = 10 * 60_000
/** Tolerance for a clock that is ahead. */
const aheadMaxMs = 60_000

const Body = z.object({ broadcaster: z.object({ user_id: z.int() }) })

/** Outcome of a webhook. `ignored`: of a kind that no reader uses. */
export type KickOutcome = 'taken' | 'ignored' | 'forged' | 'old'

/** The inbox of a channel. */
export const kickInbox = (broadcasterId: number | string): string => `kick:${broadcasterId}`

/** Takes a webhook. The signature is checked before anything else; a repeated message id changes nothing. */
export async function takeKickWebhook(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): Promise<KickOutcome> {
  const [id, sent] = [textOf(headers['kick-event-message-id']), textOf(headers['kick-event-message-timestamp'])]
  const signature = textOf(headers['kick-event-signature'])
  if (
    id === '' ||
    id.length > 100 ||
    !(await isSigned(services, Buffer.concat([Buffer.from(`${id}.${sent}.`), rawBody]), signature))
  )
    return 'forged'
  const age = services.clock.now().getTime() - Date.parse(sent)
  if (!(age <= ageMaxMs && age >= -aheadMaxMs)) return 'old'
  if (headers['kick-event-type'] !== 'chat.message.sent') return 'ignored'
  const body = jsonOf(rawBody.toString())
  const { data } = Body.safeParse(body)
  if (!data) return 'ignored'
  const source = kickInbox(data.broadcaster.user_id)
  const count = await deliver(services, services.db, [{ source, externalId: id, body }])
  if (count > 0) wakeInboxes(services.db, [source])
  return 'taken'
}

async function isSigned(
  services: Pick<Services, 'clock' | 'config'>,
  content: Buffer,
  signature: string,
): Promise<boolean> {
  const bytes = Buffer.from(signature, 'base64')
  const isBy = (key: KeyObject | null) => key !== null && bytes.length > 0 && verify('sha256', content, key, bytes)
  return isBy(kickKey(services)) || isBy(await newerKickKey(services))
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')
