// Public key of Kick's webhooks: configured, or published by Kick after a rotation
// (docs.kick.com/events/webhook-security, GET /public/v1/public-key).
import { createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { callProvider } from '#server/core/provider-http.ts'
import { env, settings, anyText } from '#server/core/variables.ts'

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
export const kickKey = (services: KeyServices): KeyObject | null => keysOf(services).current

/**
 * Returns the key that Kick publishes now, for a message that the current key did not sign; later messages are verified with
 * it first. Without a registration, with `KICK_PUBLIC_KEY`, or within an hour of the last request: null.
 */
export async function newerKickKey(services: KeyServices): Promise<KeyObject | null> {
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
