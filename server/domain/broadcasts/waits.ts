// Waits for a project to be on air: the commit that records a broadcast wakes the callers of all replicas.
import type { Services } from '#server/core/context.ts'
import { marksChannel } from '#server/db/marks.ts'
import type { Database, Db, ReadDb } from '#server/db/open.ts'
import { findOnAir } from './store.ts'

interface Waiting {
  readonly wakers: Map<number, Set<() => void>>
  isClosed: boolean
}
const byDb = new WeakMap<ReadDb, Waiting>()

function waitingOf(db: Db): Waiting {
  const known = byDb.get(db) ?? { wakers: new Map(), isClosed: false }
  byDb.set(db, known)
  return known
}

/** Wakes the callers that wait for a project when a commit of any replica changes it. Call it before the signals open. */
export function wakeByMarks({ db, signals }: Pick<Database, 'db' | 'signals'>): void {
  signals.subscribe(marksChannel, (mark) => {
    for (const wake of waitingOf(db).wakers.get(Number.parseInt(mark, 10)) ?? []) wake()
  })
  // Signals sent while the connection was down are lost.
  signals.onConnection((isConnected) => isConnected && wakeAll(waitingOf(db)))
}

const wakeAll = ({ wakers }: Waiting): void => {
  for (const wakes of wakers.values()) for (const wake of wakes) wake()
}

/** Ends all waiting, before the service stops. */
export function endWaiting(db: Db): void {
  const waiting = waitingOf(db)
  waiting.isClosed = true
  wakeAll(waiting)
}

/** Returns the number of waiting callers, for tests. */
export const countWaiting = (db: ReadDb): number =>
  [...(byDb.get(db)?.wakers.values() ?? [])].reduce((sum, { size }) => sum + size, 0)

/**
 * Waits until a project has a broadcast on air.
 * @param ms timeout, milliseconds
 * @param signal aborts when the caller disconnects
 * @returns the id of the broadcast, or null
 */
export async function awaitBroadcast(
  { db }: Pick<Services, 'db'>,
  projectId: number,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
): Promise<number | null> {
  const until = performance.now() + ms
  const waiting = waitingOf(db)
  for (;;) {
    const woken = sleeper(waiting, projectId, signal)
    try {
      const row = await findOnAir(db, projectId)
      if (row) return row.id
      const left = until - performance.now()
      if (left <= 0 || signal.aborted || waiting.isClosed) return null
      await woken.within(left)
    } finally {
      woken.done()
    }
  }
}

/** Subscribes before the query, so that a change during the query is not missed. */
function sleeper({ wakers }: Waiting, projectId: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const mine = wakers.get(projectId) ?? new Set()
  wakers.set(projectId, mine.add(wake))
  signal.addEventListener('abort', wake)
  let timer: NodeJS.Timeout | undefined
  return {
    within(ms: number) {
      timer = setTimeout(wake, ms)
      return promise
    },
    done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      mine.delete(wake)
      if (mine.size === 0 && wakers.get(projectId) === mine) wakers.delete(projectId)
    },
  }
}
