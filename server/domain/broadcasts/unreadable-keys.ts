// Channels on air whose stream key cannot be decrypted, because `SECRET` has changed: they name the reason.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { lockOwner } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { type DestinationFacts, untouched } from './live-facts.ts'
import { factsOf, recordDestination } from './records.ts'
import { listRestreams } from './restreams-store.ts'
import type { BroadcastRow } from './store.ts'

const reason = 'key-unreadable'

interface Keys {
  /** Ids of active channels with an unreadable key. */
  readonly unreadable: readonly number[]
  /** Ids of all active channels. */
  readonly active: readonly number[]
}

/**
 * Records channels of a project on air with an unreadable key as rejected, once. A channel whose key was entered again is idle,
 * until the relay starts it, and one that was switched off is stopped.
 */
export async function recordUnreadable(
  { db, clock, log }: Services,
  onAir: BroadcastRow,
  { unreadable, active }: Keys,
): Promise<void> {
  const recorded = await transaction(db, async (trx) => {
    // Events of the node lock it too: the states that are read here stay until they are written.
    await lockOwner(trx, 'air', onAir.project_id)
    const noted = (await listRestreams(trx, [onAir.id]))
      .filter((row) => factsOf(row).state === 'rejected' && factsOf(row).reason === reason)
      .map(({ channel_id }) => channel_id)
    const now = clock.now()
    const note = (id: number, facts: Pick<DestinationFacts, 'state' | 'reason'>) =>
      recordDestination({ clock }, trx, onAir, { ...untouched, id, since: now.getTime(), ...facts }, { at: iso(now) })
    const fresh = unreadable.filter((id) => !noted.includes(id))
    for (const id of fresh) await note(id, { state: 'rejected', reason })
    for (const id of noted.filter((one) => !unreadable.includes(one)))
      await note(id, { state: active.includes(id) ? 'idle' : 'stopped', reason: null })
    return fresh
  })
  for (const id of recorded)
    log.error(
      { channel: id, failure: 'KeyUnreadable' },
      'A channel is skipped: SECRET has changed since its key was saved',
    )
}
