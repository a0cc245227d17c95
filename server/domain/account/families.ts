// Token families: one per session. A session ends together with the sessions that were handed over from it.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import {
  listHeirs,
  lockLivingFamily,
  type ParentSession,
  removePushOf,
  updateFamiliesRevoked,
} from './sessions-store.ts'

/** Locks a living session until the transaction ends. Undefined when the session has ended. */
export const lockLiving = (
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  id: number,
): Promise<ParentSession | undefined> => lockLivingFamily(trx, id, iso(clock.now()))

/** Ends sessions and the notifications of their browsers, without sessions that were handed over from them. */
export async function endFamilies(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  ids: readonly number[],
  reason: string,
): Promise<void> {
  await updateFamiliesRevoked(trx, ids, reason, iso(clock.now()))
  await removePushOf(trx, ids)
}

/** Ends a session and all that were handed over from it, directly or not. Their unused codes become invalid. */
export async function endFamily(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  id: number,
  reason: string,
): Promise<void> {
  // Its own row first: the next query sees a hand-over that holds the row, and a later hand-over is refused.
  await endFamilies(services, trx, [id], reason)
  const ids = await listHeirs(trx, id)
  if (ids.length > 0) await endFamilies(services, trx, ids, reason)
}
