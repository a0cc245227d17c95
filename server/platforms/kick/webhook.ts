// Webhooks of Kick (docs.kick.com/events/webhook-security): signature, age, and delivery to the reader of the chat.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { callProvider, jsonOf } from '#server/core/provider-http.ts'
import { anyText, env, settings } from '#server/core/variables.ts'
import { deliver, wakeInboxes } from '#server/domain/platforms/inbox.ts'

// Public key of Kick's webhooks: configured, or published by Kick after a rotation
// (docs.kick.com/events/webhook-security, GET /public/v1/public-key).

/** Published at docs.kick.com/events/webhook-security. */
const publishedKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq/+l1WnlRrGSolDMA+A8
6rAhMbQGmQ2SapVcGM3zq8ANXjnhDWocMqfWcTd95btDydITa10kDvHzw9WQOqp2
MZI7ZyrfzJuz5nhTPCiJwTwnEtWft7nV14BYRDHvlfqPUaZ+1KR4OCaO/wWIk/rQ
L/TjY0M70gse8rlBkbo2a8rKhu69RQTRsoaf4DVhDPEeSeI5jVrRDGAMGL3cGuyY
6CLKGdjVEM78g3JfYOvDU/RvfqD7L89TZ3iN94jrmWdGz34JNlEI5hqK8dd7C5EF
BEbZ5jgB8s8ReQV8H+MkuffjdAj3ajDDX3DOJMIut1lBrUVD1AaSrGCKHooWoL2e
twIDAQAB
-----END PUBLIC KEY-----`

export const kickSettings = settings({
  /** Public key of the signatures of Kick’s webhooks, PEM. Fixed by the operator: the published one does not replace it. */
  kickPublicKey: env(
    'KICK_PUBLIC_KEY',
    anyText,
    '',
    'Public key of Kick, PEM with `\\n` for line breaks. Empty: the published one',
    (key) =>
      key === '' ? { pem: publishedKey, isFixed: false } : { pem: key.replaceAll(String.raw`\n`, '\n'), isFixed: true },
  ),
})

type KeyServices = Pick<Services, 'clock' | 'config'>

const url = 'https://api.kick.com/public/v1/public-key'
/** Least time between two requests for the key: a forged message causes at most one an hour. */
const fetchEveryMs = 3_600_000
const Published = z.object({ data: z.object({ public_key: z.string().check(z.maxLength(10_000)) }) })

/** Keys of an installation's settings. */
interface Keys {
  current: KeyObject | null
  fetchedAt: number
  fetching: Promise<KeyObject | null> | null
}
const known = new WeakMap<Services['config'], Keys>()

function keysOf({ config }: KeyServices): Keys {
  const keys = known.get(config) ?? { current: parsed(config.kickPublicKey.pem), fetchedAt: -Infinity, fetching: null }
  known.set(config, keys)
  return keys
}

/** Returns the key that verifies webhooks; null: the configured one is no key. */
const kickKey = (services: KeyServices): KeyObject | null => keysOf(services).current

/**
 * Returns the key that Kick publishes now, for a message that the current key did not sign; later messages are verified with
 * it first. Without a registration, with `KICK_PUBLIC_KEY`, or within an hour of the last request: null.
 */
async function newerKickKey(services: KeyServices): Promise<KeyObject | null> {
  const { config, clock } = services
  const keys = keysOf(services)
  if (config.providers.kick === null || config.kickPublicKey.isFixed) return null
  const now = clock.now().getTime()
  if (keys.fetching === null && now - keys.fetchedAt < fetchEveryMs) return null
  if (keys.fetching === null) keys.fetchedAt = now
  keys.fetching ??= fetchKey(services).finally(() => (keys.fetching = null))
  const fetched = await keys.fetching
  if (fetched) keys.current = fetched
  return fetched
}

async function fetchKey({ config }: KeyServices): Promise<KeyObject | null> {
  try {
    const { status, text } = await callProvider(config, 'kick', url)
    const { data } = Published.safeParse(status === 200 ? JSON.parse(text) : null)
    return data ? parsed(data.data.public_key) : null
  } catch {
    return null
  }
}

function parsed(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

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
