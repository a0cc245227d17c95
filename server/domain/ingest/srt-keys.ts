// Passphrases of SRT callers. A caller sends a number and encrypts with the key, which is never transmitted.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { isOverLimit, networkOf } from '#server/core/limits.ts'
import { pullKeyForSrt } from './pull-keys.ts'
import { streamKeyOf } from './stream-keys.ts'

/** Lookups per network and minute: each costs the node a handshake. */
const callsPerMinute = 60
/** A key that was sealed with another SECRET does not exist. */
function unreadable(error: unknown): null {
  if (error instanceof RuleError) return null
  throw error
}

/** Largest integer of both databases. */
const numberMax = 2_147_483_647

/**
 * Returns the key that a caller has to encrypt with.
 * @param call `publish`: the number is a project id; `play`: the id of a pull key
 * @returns the key, or the reason of the refusal
 */
export async function keyForSrt(
  services: Pick<Services, 'config' | 'db' | 'limits'>,
  call: { readonly mode: 'publish' | 'play'; readonly number: number; readonly address: string },
): Promise<{ readonly key: string } | { readonly refuse: string }> {
  if (isOverLimit(services.limits, `srt-key ${networkOf(call.address)}`, callsPerMinute))
    return { refuse: 'Too many calls. Wait a minute' }
  const find = call.mode === 'publish' ? streamKeyOf : pullKeyForSrt
  const key = call.number > numberMax ? null : await find(services, call.number).catch(unreadable)
  return key === null ? { refuse: 'There is no such key' } : { key }
}
