// VAPID keys of web push (RFC 8292): one pair for the installation, generated once, and encrypted in the database.
import { createECDH } from 'node:crypto'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { sealKey, unsealKey } from './addresses.ts'
import { findServiceKey, insertServiceKey, removeAllPush, updateServiceKey } from './addresses-store.ts'

type KeyServices = Pick<Services, 'db' | 'clock' | 'config' | 'log'>

/** A key pair, base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const name = 'vapid'

/**
 * Returns the keys; of concurrent replicas the first one creates them. Keys that cannot be read, because `SECRET` has
 * changed, are replaced: all subscriptions end, and browsers have to be added again.
 */
export async function vapidKeys(services: KeyServices): Promise<VapidKeys> {
  const { db } = services
  const known = await findServiceKey(db, name)
  const usable = read(services, known)
  if (usable) return usable
  const keys = newKeys()
  await (known === undefined ? insert(services, keys) : replace(services, known, keys))
  return read(services, await findServiceKey(db, name)) ?? keys
}

/** Returns the public key, with which browsers subscribe (`applicationServerKey`). */
export const pushKey = async (services: KeyServices): Promise<string> => (await vapidKeys(services)).publicKey

function read(services: KeyServices, sealed: string | undefined): VapidKeys | null {
  const text = sealed === undefined ? null : unsealKey(services, sealed)
  return text === null ? null : (JSON.parse(text) as VapidKeys)
}

function newKeys(): VapidKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    publicKey: pair.getPublicKey('base64url'),
    // The private key has 32 bytes; Node omits leading zeros.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  }
}

const rowOf = (services: Reading<KeyServices>, keys: VapidKeys) => ({
  name,
  sealed: sealKey(services, JSON.stringify(keys)),
  date_create: iso(services.clock.now()),
})

const insert = (services: KeyServices, keys: VapidKeys): Promise<void> =>
  insertServiceKey(services.db, rowOf(services, keys))

async function replace(services: KeyServices, unreadable: string, keys: VapidKeys): Promise<void> {
  const isReplaced = await transaction(services.db, async (trx) => {
    const isFirst = await updateServiceKey(trx, unreadable, rowOf(services, keys))
    if (isFirst) await removeAllPush(trx)
    return isFirst
  })
  if (isReplaced) services.log.warn('SECRET has changed: the key of web push is new, users have to add browsers again')
}
