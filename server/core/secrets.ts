// Random values, their hashes, and keys: the few ways in which the service keeps a secret.
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

/** A random number of nine digits, as text: what people may read out to each other. */
export const randomNumber = (): string => String(randomInt(100_000_000, 1_000_000_000))

/** What is stored of a random token. Such tokens cannot be guessed, so a plain hash is enough. */
export const hashOf = (token: string): string => hash('sha256', token, 'base64url')

/** A key for one purpose. Keys of different purposes say nothing about each other. */
export const derivedKey = (secret: Uint8Array | string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `relaydeck ${purpose}`, 32))

/** A key that only somebody with a random token can make. One step is enough where there is nothing to guess. */
export const keyFrom = (token: string, purpose: string): Buffer =>
  createHmac('sha256', token).update(`relaydeck ${purpose}`).digest()

/** A hash that only who has the key can make: for finding a secret without keeping it. */
export const keyedHash = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** What somebody may see of a secret who may not have it. */
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

/** Decrypts what `seal` made. @throws when it was made with another key, or changed */
export function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(sealing, createSecretKey(key), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
}

/** Compares without telling by time where the difference is. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
