// Broadcasts of nodes that are unreachable for long: they end, and continue when the node is back with the stream.
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { lockOwner } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { insertEvent } from './events-store.ts'
import { recordEnd } from './records.ts'
import { findOnAir, findOnAirById, listExpired, listLost, updateBroadcast } from './store.ts'
import { goneAfterMs } from '#server/domain/ingest/health.ts'

/** Nodes may have been unable to renew between two rounds that are further apart, milliseconds. */
const roundMaxMs = 60_000

type Lost = Awaited<ReturnType<typeof listExpired>>

export interface LostNodes {
  /**
   * Ends broadcasts of lost nodes, in a process that could take renewals for `goneAfterMs`.
   * @param before called for each project before its broadcast ends
   * @returns their projects
   */
  end(before?: (projectId: number) => Promise<void>): Promise<number[]>
  /** Restarts the wait: the service or its database failed, so that a missing renewal says nothing about the node. */
  fail(): void
}

/**
 * Ends the broadcasts of lost nodes. A call of `end()` each 10 s shows that the process and its database work.
 * @param now monotonic time, milliseconds
 */
export function watchLostNodes(services: Services, now = () => performance.now()): LostNodes {
  let last = now()
  let since = last
  const fail = () => void (since = now())
  return {
    fail,
    async end(before) {
      try {
        const lost = await findLost(services)
        const at = now()
        if (at - last > roundMaxMs) since = at
        last = at
        if (at - since < goneAfterMs) return []
        for (const { project_id } of lost) await before?.(project_id)
        return await endEach(services, lost)
      } catch (error) {
        fail()
        throw error
      }
    },
  }
}

/** Ends broadcasts whose owner is lost. @returns their projects */
export const endLost = async (services: Services): Promise<number[]> => endEach(services, await findLost(services))

/** Returns broadcasts on air whose owner renewed nothing for `goneAfterMs`. */
const findLost = ({ db }: Reading<Services>): Promise<Lost> => listExpired(db, goneAfterMs)

async function endEach(services: Services, lost: Lost): Promise<number[]> {
  const { db, clock } = services
  const over = []
  for (const { owner, epoch, ...row } of lost) {
    const isOver = await transaction(db, async (trx) => {
      const now = await lockOwner(trx, 'air', row.project_id)
      if (now?.holder !== owner || now.epoch !== epoch || !(await findOnAirById(trx, row.id))) return false
      await recordEnd(services, trx, row, { at: iso(clock.now()), kind: 'abandoned', node: owner })
      await updateBroadcast(trx, row.id, { lost_epoch: epoch })
      return true
    })
    if (!isOver) continue
    over.push(row.project_id)
  }
  return over
}

/** Continues the broadcasts of projects whose owner was lost and is back. @returns those projects */
export async function reopenLost(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  node: string,
  projects: readonly number[],
): Promise<number[]> {
  const lost = await listLost(trx, node, projects)
  for (const { id, project_id } of lost) {
    // A message of an earlier connection may have begun another broadcast.
    const isOver = await findOnAir(trx, project_id)
    await updateBroadcast(trx, id, { lost_epoch: null, ...(isOver ? {} : { status: 'active', date_end: null }) })
    if (!isOver) await insertEvent(trx, id, iso(clock.now()), { level: 'info', kind: 'source-back', node })
  }
  return lost.map(({ project_id }) => project_id)
}
