// Web Locks of a simulated browser: one owner per name, a queue of tabs.
import type { FakeClock } from './fake-clock.ts'

/** Creates the locks. */
export function createFakeLocks(clock: FakeClock) {
  /** Names with the tab that holds each. */
  const locked = new Map<string, number>()
  const queue: { name: string; tab: number; grant: () => void }[] = []
  const grantNext = () => {
    const index = queue.findIndex(({ name }) => !locked.has(name))
    if (index >= 0) queue.splice(index, 1)[0]?.grant()
  }

  /** Waits for a lock. @returns false after `waitMs` */
  const acquire = (id: number, name: string, waitMs: number) =>
    new Promise<boolean>((resolve) => {
      const entry = {
        name,
        tab: id,
        grant() {
          clock.clearTimeout(timer)
          locked.set(name, id)
          resolve(true)
        },
      }
      const timer = clock.setTimeout(() => {
        queue.splice(queue.indexOf(entry), 1)
        resolve(false)
      }, waitMs)
      queue.push(entry)
      grantNext()
    })

  return {
    locked,
    acquire,
    release(name: string) {
      locked.delete(name)
      grantNext()
    },
    grantNext,
    /** Frees all locks and places of a tab that crashed. */
    drop(tab: number) {
      for (const entry of queue.filter((waiting) => waiting.tab === tab)) queue.splice(queue.indexOf(entry), 1)
      for (const [name, holder] of locked) if (holder === tab) locked.delete(name)
      grantNext()
    },
  }
}
