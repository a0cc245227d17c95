// Token families: one per session. A session ends together with the sessions that were handed over from it.
import type { Scope } from '#contract/core/scopes.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import {
  insertFamily,
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

/**
 * Stores the family of an API token or of a grant to an app, which has scopes and no device.
 * @param of `projectId` null: all projects of the user
 * @returns its number
 */
export async function createScopedFamily(
  trx: Trx,
  of: {
    readonly userId: number
    readonly projectId: number | null
    readonly scopes: readonly Scope[]
    readonly from: Date
    readonly to: Date
  },
): Promise<number> {
  const { id } = await insertFamily(trx, {
    user_id: of.userId,
    app: 'site',
    fingerprint: null,
    user_agent: '',
    date_create: iso(of.from),
    date_auth: iso(of.from),
    parent_id: null,
    date_max: iso(of.to),
    date_revoke: null,
    revoke_reason: null,
    scopes: [...new Set(of.scopes)].join(' '),
    project_id: of.projectId,
  })
  return id
}

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
