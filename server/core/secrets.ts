// Random values, hashes, derived keys and encryption of secrets.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

/** 256 random bits, safe in URLs and headers. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** A random number of nine digits as text, short enough to read aloud. */
export const randomNumber = (): string => String(randomInt(100_000_000, 1_000_000_000))

/** Returns the stored hash of a random token. Such tokens cannot be guessed, so a plain hash is sufficient. */
export const hashOf = (token: string): string => hash('sha256', token, 'base64url')

/** Derives a key for one purpose. Keys of different purposes reveal nothing about each other. */
export const derivedKey = (secret: Uint8Array | string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `relaydeck ${purpose}`, 32))

/** Derives a key from a random token. One step is sufficient, because the token cannot be guessed. */
export const keyFrom = (token: string, purpose: string): Buffer =>
  createHmac('sha256', token).update(`relaydeck ${purpose}`).digest()

/** Returns a hash that needs the key, to find a secret without storing it. */
export const keyedHash = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Masks a secret for users without permission to see it. */
export const masked = (secret: string): string => `••••${secret.slice(-4)}`

const sealing = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Encrypts a text (AES-256-GCM). */
export function seal(key: Buffer, text: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(sealing, createSecretKey(key), iv)
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url')
}

/** Decrypts a text that `seal` encrypted. @throws on another key, or an altered text */
export function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(sealing, createSecretKey(key), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
}

/** Decrypts a text that `seal` encrypted. @returns null on another key, or an altered text: `SECRET` has changed since */
export function tryUnseal(key: Buffer, sealed: string): string | null {
  try {
    return unseal(key, sealed)
  } catch {
    return null
  }
}

/** Compares two texts in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
