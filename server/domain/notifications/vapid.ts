// VAPID keys of web push (RFC 8292): one pair for the installation, generated once, and encrypted in the database.
import { createECDH } from 'node:crypto'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { sealKey, unsealKey } from './addresses.ts'
import { findServiceKey, insertServiceKey } from './addresses-store.ts'

type KeyServices = Pick<Services, 'db' | 'clock' | 'config'>

/** A key pair, base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const name = 'vapid'

/** Returns the keys; of concurrent replicas the first one creates them. */
export async function vapidKeys(services: KeyServices): Promise<VapidKeys> {
  const { db, clock } = services
  const known = await findServiceKey(db, name)
  if (known !== undefined) return JSON.parse(unsealKey(services, known)) as VapidKeys
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const keys = {
    publicKey: pair.getPublicKey('base64url'),
    // The private key has 32 bytes; Node omits leading zeros.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  }
  await insertServiceKey(db, { name, sealed: sealKey(services, JSON.stringify(keys)), date_create: iso(clock.now()) })
  const stored = await findServiceKey(db, name)
  return stored === undefined ? keys : (JSON.parse(unsealKey(services, stored)) as VapidKeys)
}

/** Returns the public key, with which browsers subscribe (`applicationServerKey`). */
export const pushKey = async (services: KeyServices): Promise<string> => (await vapidKeys(services)).publicKey
