// The last test of each channel's address: a test by hand, or a broadcast that the platform took or refused.
import type { Db, Trx } from '#server/db/open.ts'
import type { DestinationFacts } from '#server/domain/broadcasts/live-facts.ts'

/** Nothing is known: of a new channel, and of a new address. */
export const untested = { test_reason: null, date_test: null } as const

/**
 * Keeps how a test went. A channel that is known to work is not written again by each broadcast.
 * @param reason `ok`, why the address cannot be reached, or `rejected`: the platform refused the stream
 * @param at ISO 8601
 */
export async function noteTest(db: Db | Trx, channelId: number, reason: string, at: string): Promise<void> {
  await db
    .updateTable('channels')
    .set({ test_reason: reason, date_test: at })
    .where('id', '=', channelId)
    .where((eb) => eb.or([eb('test_reason', 'is', null), eb('test_reason', '<>', reason)]))
    .execute()
}

/** What a broadcast tells about a channel's address, as `noteTest` keeps it; null: nothing that a person has to know. */
export function testedBy({ state, reason }: Pick<DestinationFacts, 'state' | 'reason'>): string | null {
  if (state === 'live') return 'ok'
  // Many servers close right after the start when the key is wrong.
  if (state === 'backoff') return reason === 'closed-early' ? 'rejected' : null
  if (state !== 'rejected') return null
  return reason === 'forbidden' ? 'forbidden_address' : 'rejected'
}
