// Check of `SECRET`: a replica with another one would seal rows that the others cannot read.
import { derivedKey, sameText } from '#server/core/secrets.ts'
import type { Db } from '#server/db/open.ts'
import { getInstallation, updateInstallation, updateSecretCheck } from './store.ts'

const checkOf = (secret: Uint8Array) => derivedKey(secret, 'check').toString('base64url')

/** Returns whether the installation uses this secret. The first service of an installation sets it. */
export async function claimSecret(db: Db, secret: Uint8Array): Promise<boolean> {
  await updateSecretCheck(db, checkOf(secret))
  const { secret_check } = await getInstallation(db)
  return sameText(secret_check ?? '', checkOf(secret))
}

/** Makes this the secret of the installation. What the former one sealed stays unreadable. */
export const acceptSecret = (db: Db, secret: Uint8Array): Promise<void> =>
  updateInstallation(db, { secret_check: checkOf(secret) })
