// Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which every app supports.
import type { TOTP } from 'otpauth'

/** A step of the clock, seconds. */
export const stepSeconds = 30
/** Steps before and after the current one whose codes a sign-in accepts. */
const signInWindow = 1
/** Steps in which a code shows how far off a phone's clock is: ten minutes. */
const clockWindow = 20

/** Loaded with the first use, to save memory until then. */
const library = () => import('otpauth')

async function appOf(secret: string, label = ''): Promise<TOTP> {
  const { Secret, TOTP: Totp } = await library()
  return new Totp({ issuer: 'Relaydeck', label, secret: Secret.fromBase32(secret), period: stepSeconds })
}

/** Returns a new secret of 160 bits, in base 32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await library()
  return new Secret({ size: 20 }).base32
}

/** Returns the address that apps read from a QR code. @param label name of the account */
export const addressOf = async (secret: string, label: string): Promise<string> =>
  (await appOf(secret, label)).toString()

/** Returns the step of a code that is current at a time, one step more or less; null for other codes. */
export async function stepOf(secret: string, code: string, now: Date): Promise<number | null> {
  const app = await appOf(secret)
  const timestamp = now.getTime()
  const delta = app.validate({ token: code, timestamp, window: signInWindow })
  return delta === null ? null : app.counter({ timestamp }) + delta
}

/**
 * Returns how many seconds the clock that made a code is ahead, negative for behind; null for a code of no time near.
 * For the owner of the secret only: to others it would tell codes that become valid later.
 */
export async function clockOffset(secret: string, code: string, now: Date): Promise<number | null> {
  const app = await appOf(secret)
  const delta = app.validate({ token: code, timestamp: now.getTime(), window: clockWindow })
  return delta === null ? null : delta * stepSeconds
}
