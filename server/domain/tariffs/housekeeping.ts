// Takes note of the ends of bought terms. The slots themselves need nobody to roll them over (subscriptions-slots.ts);
// what has to happen once is what follows from it: switching off what the next plan has no room for, and telling
// whoever listens. Any number of replicas may run this.
import type { Clock } from '#server/core/clock.ts'
import type { Db } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { fitChannels } from '#server/domain/channels/fit.ts'
import { lockWallet } from './ledger.ts'
import { readState } from './subscriptions.ts'
import { listDue, markRolled } from './subscriptions-store.ts'

/** A term that ended, and the plan that the project has since. */
export interface Rolled {
  readonly projectId: number
  readonly termId: number
  readonly planId: number
}

/** How many ends are looked up at once. */
const batch = 200

/**
 * One round over all projects.
 * @param onRolled told of each end that this call took note of, once it is committed; of several calls at the same
 *   time, each end belongs to one
 */
export async function rollOver(db: Db, clock: Clock, onRolled: (rolled: Rolled) => void): Promise<void> {
  let due
  do {
    due = await listDue(db, clock.now().toISOString(), batch)
    for (const term of due) {
      const rolled = await rollTerm(db, clock, term)
      if (rolled) onRolled(rolled)
    }
  } while (due.length === batch)
}

/**
 * Runs rounds until stopped. A round that fails is reported and tried again at the next tick.
 * @param every milliseconds between the end of a round and the next
 * @example const stop = startHousekeeping({ db, clock, every: 30_000, onRolled: publish, onError: log })
 */
export function startHousekeeping(options: {
  readonly db: Db
  readonly clock: Clock
  readonly every: number
  readonly onRolled: (rolled: Rolled) => void
  readonly onError: (error: unknown) => void
}): () => Promise<void> {
  const { db, clock, every, onRolled, onError } = options
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const round = async () => {
    try {
      await rollOver(db, clock, onRolled)
    } catch (error) {
      onError(error)
    }
    if (!stopped) timer = setTimeout(start, every).unref()
  }
  const start = () => {
    running = round()
  }
  start()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

/** Holds the project, like a purchase does, so that a term is either prolonged or noted as ended. */
const rollTerm = (db: Db, clock: Clock, { id, projectId }: { id: number; projectId: number }) =>
  projectTransaction(db, projectId, async (trx): Promise<Rolled | null> => {
    await lockWallet(trx, projectId)
    const { slots, now } = await readState(trx, clock, projectId)
    if (!(await markRolled(trx, id, now))) return null
    await fitChannels({ clock }, trx, projectId, slots.current)
    return { projectId, termId: id, planId: slots.current.planId }
  })
