// Keys of ID tokens, derived from the secret of the installation: every replica has the same, and none is stored.
import { createECDH } from 'node:crypto'
import { derivedKey } from '#server/core/secrets.ts'

const periodMs = 90 * 86_400_000

/** Returns the number of the period of a time; each period signs with its own key. */
export const keyPeriod = (now: Date): number => Math.floor(now.getTime() / periodMs)

/** Returns the keys of a period: its own, which signs, and those before and after it, which clients may know or learn early. */
export const keysOf = (secret: Uint8Array, period: number) =>
  [period, period - 1, period + 1].map((at) => signingKey(secret, at))

function signingKey(secret: Uint8Array, period: number) {
  const ecdh = createECDH('prime256v1')
  // A hash is a valid scalar unless it is 0 or above the order of the curve: one in 2^32.
  ecdh.setPrivateKey(derivedKey(secret, `id token ${period}`))
  const point = ecdh.getPublicKey()
  const text = (part: Buffer) => part.toString('base64url')
  const x = text(point.subarray(1, 33))
  const y = text(point.subarray(33))
  const d = text(ecdh.getPrivateKey())
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: `${period}-${x.slice(0, 8)}`, x, y, d }
}
