// Passwords: how they are kept and compared.
import { hash, verify } from '@node-rs/argon2'
import { randomNumber } from '#server/core/secrets.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. About 20 ms of one core for each attempt. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** What an unknown account is compared with, so that it takes as long as a wrong password. */
let nobody: Promise<string> | undefined

/** What is kept of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password, argon)

/** Is it this one? Never, and no sooner, where there is none. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  nobody ??= hashPassword(randomNumber())
  const good = await verify(kept ?? (await nobody), password)
  return kept !== null && good
}
