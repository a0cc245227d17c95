// Password hashing and comparison.
import { randomNumber } from '#server/core/secrets.ts'

/** argon2id with the parameters of OWASP: 19 MiB, two passes, one lane. About 20 ms of one core per attempt. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Loaded at the first sign-in, to save memory until then. As one object, on which tests can spy. */
const argon2 = async () => (await import('@node-rs/argon2')).default
/** Hash for unknown accounts, so that they take as long as a wrong password. */
let unknownAccountHash: Promise<string> | undefined

/** Returns the hash of a password. */
export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, argon)

/** Compares a password with a hash. False for an account without a password, after the same time. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  unknownAccountHash ??= hashPassword(randomNumber())
  const good = await (await argon2()).verify(kept ?? (await unknownAccountHash), password)
  return kept !== null && good
}
