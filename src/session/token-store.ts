// Where the token record lives: IndexedDB, else localStorage, else memory. Every step has a time limit.
import { exclusive, sleep } from './coordinator.ts'
import { createIdb } from './idb-store.ts'
import { parseRecord } from './record.ts'
import type { Clock, PersistenceMode, TokenRecord, TokenStore, Update } from './types.ts'

type Backend = Pick<TokenStore, 'read' | 'compareAndSet'>

/** Start-up, and every later step, waits this long for a storage. */
const stepMs = 1400
/**
 * localStorage is copied between processes some time after a write; a lock travels faster. Keeping the lock a moment
 * lets the copy arrive before the next tab reads.
 */
const lingerMs = 200

/** A record that dies with the tab. */
export function createMemoryStore(): TokenStore {
  let record: TokenRecord | null = null
  return {
    mode: 'memory',
    open: async () => {},
    read: async () => record,
    compareAndSet: async (update) => {
      const next = update(record)
      record = next ?? record
      return !!next
    },
    close: async () => {},
  }
}

function createLocal(key: string, clock: Clock): Backend {
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
  return {
    read: async () => read(),
    async compareAndSet(update) {
      let isWritten = false
      await exclusive(clock, `${key}:ledger`, stepMs, async () => {
        const next = update(read(true))
        if (!next) return
        const text = JSON.stringify(next)
        localStorage.setItem(key, text)
        await sleep(clock, lingerMs)
        isWritten = localStorage.getItem(key) === text
      })
      return isWritten
    },
  }
}

/**
 * The store of a browser tab.
 * @param key name of the record; sessions of different servers have different ones
 * @param onBack IndexedDB was only slow to begin with, and is used from now on
 */
export function createTokenStore(key: string, clock: Clock, onBack: () => void): TokenStore {
  const idb = createIdb(key)
  const local = createLocal(key, clock)
  const memory = createMemoryStore()
  const backends = { indexeddb: idb, localstorage: local, memory }
  let mode: PersistenceMode = 'indexeddb'
  let last: TokenRecord | null = null
  let isLate = false
  let isSlow = false

  async function inTime<T>(work: Promise<T>): Promise<T> {
    let timer: unknown
    const limit = new Promise<never>((_, reject) => {
      timer = clock.setTimeout(() => {
        isLate = true
        reject(new Error('The storage does not answer'))
      }, stepMs)
    })
    try {
      return await Promise.race([work, limit])
    } finally {
      clock.clearTimeout(timer)
    }
  }

  /** Does a step; when IndexedDB fails, once more with a new connection. */
  async function step<T>(run: (backend: Backend) => Promise<T>): Promise<T> {
    isLate = false
    try {
      return await inTime(run(backends[mode]))
    } catch (error) {
      if (mode === 'indexeddb') isSlow = isLate
      if (mode !== 'indexeddb' || isLate) throw error
      idb.close()
      return await inTime(run(idb))
    }
  }

  /** Goes on with the next worse storage, and takes along what is known. */
  async function retreat() {
    mode = mode === 'indexeddb' ? 'localstorage' : 'memory'
    const known = last
    const seed: Update = (current) => (known && isNewer(known, current) ? known : undefined)
    await step((backend) => backend.compareAndSet(seed)).catch(() => {})
  }

  async function read(): Promise<TokenRecord | null> {
    for (;;) {
      try {
        last = await step((backend) => backend.read())
        return last
      } catch {
        await retreat()
      }
    }
  }

  return {
    get mode() {
      return mode
    },
    async open() {
      await read()
      if (mode !== 'indexeddb') {
        // A cold disk is not a reason to ask somebody to sign in: when the answer comes after all, it counts.
        const comeBack = () => {
          if (last) return
          mode = 'indexeddb'
          onBack()
        }
        if (isSlow) idb.read().then(comeBack, () => {})
        return
      }
      // Left by a time when IndexedDB did not work.
      try {
        const left = await local.read()
        if (!left) return
        await idb.compareAndSet((current) => (isNewer(left, current) ? left : undefined))
        localStorage.removeItem(key)
      } catch {
        // Then it stays there.
      }
    },
    read,
    async compareAndSet(update) {
      let seen: TokenRecord | null = null
      const remember: Update = (current) => {
        const next = update(current)
        seen = next ?? current
        return next
      }
      try {
        const isWritten = await step((backend) => backend.compareAndSet(remember))
        last = seen
        return isWritten
      } catch (error) {
        // A full IndexedDB may have room again, and can still be read; without localStorage only memory is left.
        if (mode === 'indexeddb') throw error
        await retreat()
        return memory.compareAndSet(update)
      }
    },
    close: async () => idb.close(),
  }
}

const isNewer = (record: TokenRecord, than: TokenRecord | null) => !than || record.obtainedAt > than.obtainedAt
