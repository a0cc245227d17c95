// Keys that callers by SRT encrypt by: they say a number, and prove to the node that they know the key. It never goes over
// their line.
import type { Services } from '#server/core/context.ts'
import { RateLimitedError, RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { pullKeyForSrt } from './pull-keys.ts'
import { streamKeyOf } from './stream-keys.ts'

/** Callers of one network that may ask each minute: each costs the node some work. */
const askedPerMinute = 60
/** One that was sealed under another secret of the service is none. */
function unreadable(error: unknown): null {
  if (error instanceof RuleError) return null
  throw error
}

/** What both databases take as a number. */
const numberMax = 2_147_483_647

/**
 * The key by which a caller has to encrypt, for the node that it called.
 * @param asked `publish`: the number is a project's; `play`: a pull key's
 * @returns the key, or what the caller shall tell its user
 */
export async function keyForSrt(
  services: Pick<Services, 'config' | 'db' | 'limits'>,
  asked: { readonly mode: 'publish' | 'play'; readonly number: number; readonly address: string },
): Promise<{ readonly key: string } | { readonly refuse: string }> {
  try {
    services.limits.count(`srt-key ${networkOf(asked.address)}`, askedPerMinute)
  } catch (error) {
    if (error instanceof RateLimitedError) return { refuse: 'Too many calls. Wait a minute' }
    throw error
  }
  const find = asked.mode === 'publish' ? streamKeyOf : pullKeyForSrt
  const key = asked.number > numberMax ? null : await find(services, asked.number).catch(unreadable)
  return key === null ? { refuse: 'There is no such key' } : { key }
}
