// Channels on air whose stream key cannot be decrypted, because `SECRET` has changed: they name the reason.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { type DestinationFacts, untouched } from './live-facts.ts'
import { factsOf, recordDestination } from './records.ts'
import { listRestreams } from './restreams-store.ts'
import { findOnAir } from './store.ts'

const reason = 'key-unreadable'

/**
 * Records these channels of a project on air as rejected, once, and those that were switched off since as stopped.
 * @param unreadable ids of active channels with an unreadable key
 * @param active ids of all active channels
 */
export async function recordUnreadable(
  { db, clock, log }: Services,
  projectId: number,
  { unreadable, active }: { readonly unreadable: readonly number[]; readonly active: readonly number[] },
): Promise<void> {
  const onAir = await findOnAir(db, projectId)
  if (!onAir) return
  const noted = (await listRestreams(db, [onAir.id]))
    .filter((row) => factsOf(row).state === 'rejected' && factsOf(row).reason === reason)
    .map(({ channel_id }) => channel_id)
  const now = clock.now()
  const record = (id: number, facts: Pick<DestinationFacts, 'state' | 'reason'>) =>
    transaction(db, (trx) =>
      recordDestination({ clock }, trx, onAir, { ...untouched, id, since: now.getTime(), ...facts }, { at: iso(now) }),
    )
  for (const id of unreadable.filter((one) => !noted.includes(one))) {
    log.error(
      { channel: id, failure: 'KeyUnreadable' },
      'A channel is skipped: SECRET has changed since its key was saved',
    )
    await record(id, { state: 'rejected', reason })
  }
  for (const id of noted.filter((one) => !active.includes(one))) await record(id, { state: 'stopped', reason: null })
}
