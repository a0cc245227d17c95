// Storage of the token record: IndexedDB; localStorage only in a profile in which IndexedDB has never worked.
import { exclusive, sleep, within } from './coordinator.ts'
import { createIdb, timedOut } from './idb-store.ts'
import { parseRecord, tombstone } from './record.ts'
import type { Clock, TokenRecord, TokenStore, Update } from './types.ts'

type Backend = Pick<TokenStore, 'read' | 'compareAndSet'>

/** Start-up waits this long for IndexedDB: in a profile in which it has worked, and in another one. */
const openMs = { known: 5000, unknown: 1400 }
/** Tries of a step, each with a new connection. */
const tries = 3
/** A write that takes longer fails. Several timers: a sleep of the machine consumes only one of them. */
const writeMs = [10_000, 10_000, 10_000]
/**
 * Browsers copy localStorage between processes some time after a write; a lock travels faster. Holding the lock a
 * moment lets the copy arrive before the next tab reads.
 */
const lingerMs = 200
/** localStorage entry of a profile in which IndexedDB has worked: IndexedDB stays its ledger permanently. */
const workedKey = 'relaydeck:indexeddb'

function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function note(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

function createLocal(key: string, clock: Clock) {
  const read = (toWrite?: boolean) => {
    const text = localStorage.getItem(key)
    let raw: unknown
    try {
      raw = JSON.parse(text ?? 'null')
    } catch {
      return null
    }
    return parseRecord(raw, toWrite)
  }
  const alone = (work: () => Promise<void>) => exclusive(clock, `${key}:ledger`, openMs.unknown, work)
  return {
    read: async () => read(),
    async compareAndSet(update: Update) {
      let isWritten = false
      await alone(async () => {
        if (recall(workedKey)) throw new Error('Ledger moved')
        const next = update(read(true))
        if (!next) return
        const text = JSON.stringify(next)
        localStorage.setItem(key, text)
        await sleep(clock, lingerMs)
        isWritten = localStorage.getItem(key) === text
      })
      return isWritten
    },
    /** Moves the record, for all tabs. */
    moveTo: (ledger: Backend) =>
      alone(async () => {
        note(workedKey, '1')
        const left = read()
        if (!left) return
        await ledger.compareAndSet((current) => (isNewer(left, current) ? left : undefined))
        localStorage.removeItem(key)
        await sleep(clock, lingerMs)
      }),
  }
}

/**
 * The store of a browser tab.
 * @param key name of the record; sessions of different servers have different ones
 * @param onLate a slow IndexedDB has responded after `open` gave up waiting
 */
export function createTokenStore(key: string, clock: Clock, onLate: () => void): TokenStore {
  const idb = createIdb(key, clock)
  const local = createLocal(key, clock)
  const buriedKey = `${key}:over`
  let mode: TokenStore['mode'] = 'indexeddb'
  let isHung = false

  /** A session with a tombstone has ended, even when its record is valid. */
  const judge = (record: TokenRecord | null) =>
    record?.pair && record.sessionId === recall(buriedKey) ? tombstone(record, 'user', record.obtainedAt) : record

  /** Runs a step; repeats one that fails or is not answered with a new connection to IndexedDB. */
  async function step<T>(run: (backend: Backend) => Promise<T>): Promise<T> {
    if (mode === 'localstorage') {
      try {
        if (!recall(workedKey)) return await run(local)
      } catch (error) {
        if (!recall(workedKey)) throw error
      }
      mode = 'indexeddb'
    }
    for (let count = 1; ; count++) {
      try {
        return await run(idb)
      } catch (error) {
        idb.close()
        if (count === tries) throw error
      }
    }
  }

  function retreat() {
    try {
      localStorage.getItem(key)
      mode = 'localstorage'
    } catch {
      // No storage at all: every step fails, and the record stays in memory.
    }
  }

  async function openIdb(isKnown: boolean) {
    try {
      await step((backend) => backend.read())
    } catch {
      // In a profile with a ledger in IndexedDB a second one would split the tabs: this tab keeps its record in memory.
      if (!isKnown) retreat()
      return
    }
    mode = 'indexeddb'
    if (isKnown && recall(key) === null) return
    await local.moveTo(idb).catch(() => {})
  }

  return {
    get mode() {
      return mode
    },
    async open() {
      const isKnown = recall(workedKey) !== null
      const opening = openIdb(isKnown)
      if (await within(clock, isKnown ? openMs.known : openMs.unknown, opening)) return
      if (!isKnown) retreat()
      void opening.then(onLate)
    },
    read: async () => judge(await step((backend) => backend.read())),
    async compareAndSet(update) {
      let isGivenUp = false
      const writing = step((backend) =>
        backend.compareAndSet((current) => {
          isHung = false
          return isGivenUp ? undefined : update(judge(current))
        }),
      )
      // Does not wait again for a storage that has not responded since then.
      for (const ms of isHung ? [1000] : writeMs) if (await within(clock, ms, writing)) return writing
      isHung = isGivenUp = true
      throw timedOut()
    },
    bury: (sessionId) => note(buriedKey, sessionId),
    close: async () => idb.close(),
  }
}

const isNewer = (record: TokenRecord, than: TokenRecord | null) => !than || record.obtainedAt > than.obtainedAt
