// Cache of expensive results that are the same for every caller, for some seconds.
import type { Reading, Services } from './context.ts'

type Part = Reading<Pick<Services, 'db' | 'clock'>>

/**
 * Creates a function that caches its results per database and argument.
 * @param ms lifetime of a result, milliseconds
 * @example const sums = shared(5_000, (services, hours: number) => sumUp(services, hours)); sums(services, 24)
 */
export function shared<A extends string | number, T>(ms: number, make: (part: Part, about: A) => Promise<T>) {
  const kept = new WeakMap<object, Map<A, { readonly at: number; readonly value: Promise<T> }>>()

  function ask({ db, clock }: Part, about: A): Promise<T> {
    const now = clock.now().getTime()
    const mine = kept.get(db) ?? new Map()
    kept.set(db, mine)
    for (const [key, { at }] of mine) if (at > now || at <= now - ms) mine.delete(key)
    const known = mine.get(about)
    if (known) return known.value
    const value = make({ db, clock }, about)
    mine.set(about, { at: now, value })
    // A failed result is not kept: the next call retries.
    value.catch(() => mine.delete(about))
    return value
  }
  /** Drops the results of a database after a change. */
  const forget = ({ db }: Pick<Part, 'db'>): boolean => kept.delete(db)
  return { ask, forget }
}
