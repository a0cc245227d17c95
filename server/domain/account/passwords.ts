// Passwords: how they are kept and compared.
import { randomNumber } from '#server/core/secrets.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. About 20 ms of one core for each attempt. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Loaded by the first sign-in: a service whose people are signed in does without. */
const argon2 = () => import('@node-rs/argon2')
/** What an unknown account is compared with, so that it takes as long as a wrong password. */
let nobody: Promise<string> | undefined

/** What is kept of a password. */
export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, argon)

/** Is it this one? Never, and no sooner, where there is none. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  nobody ??= hashPassword(randomNumber())
  const { verify } = await argon2()
  const good = await verify(kept ?? (await nobody), password)
  return kept !== null && good
}
