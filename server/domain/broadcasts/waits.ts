// Waiting for a project to go on air: whoever waits is woken by this process at once, and by others soon.
import type { Services } from '#server/core/context.ts'
import type { Db } from '#server/db/open.ts'
import { findOnAir } from './store.ts'

/** A broadcast that another replica took note of is found after so long. */
const lookAgainMs = 3_000

interface Waiting {
  readonly wakers: Map<number, Set<() => void>>
  isClosed: boolean
}
const byDb = new WeakMap<Db, Waiting>()

function waitingOf(db: Db): Waiting {
  const known = byDb.get(db) ?? { wakers: new Map(), isClosed: false }
  byDb.set(db, known)
  return known
}

/** A project is on air: whoever waits for that looks again. */
export function wakeWaiting(db: Db, projectId: number): void {
  for (const wake of byDb.get(db)?.wakers.get(projectId) ?? []) wake()
}

/** The service ends: nobody waits any longer. */
export function endWaiting(db: Db): void {
  const waiting = waitingOf(db)
  waiting.isClosed = true
  for (const wakers of waiting.wakers.values()) for (const wake of wakers) wake()
}

/** How many wait, for tests. */
export const countWaiting = (db: Db): number =>
  [...(byDb.get(db)?.wakers.values() ?? [])].reduce((sum, { size }) => sum + size, 0)

/**
 * Waits until a project has something on air.
 * @param ms at most
 * @param signal the caller is gone
 * @returns the number of the broadcast, or null
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
      await woken.within(Math.min(left, lookAgainMs))
    } finally {
      woken.done()
    }
  }
}

/** Listens from now on, so that what happens during a look is not missed. */
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
