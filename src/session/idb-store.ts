// Ledger in IndexedDB: the only browser storage with atomic read and write across tabs. Every step has a limit.
import { within } from './coordinator.ts'
import { parseRecord } from './record.ts'
import type { Clock, TokenRecord, Update } from './types.ts'

const table = 'session'
/** The database is opened again after this long without an answer: browsers leave single requests unanswered. */
const reopenMs = 2000
const opens = 5
/** Limit of one transaction. */
const stepMs = 10_000

/** One record under `key`; the connection opens on demand. A step that is not answered in time rejects. */
export function createIdb(key: string, clock: Clock) {
  let opening: Promise<IDBDatabase> | undefined

  const forget = () => {
    opening = undefined
  }
  const close = () => {
    opening?.then((db) => db.close()).catch(() => {})
    forget()
  }
  const openOnce = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('relaydeck', 1)
      request.onupgradeneeded = () => request.result.createObjectStore(table)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })

  /** Requests the database until one request is answered, and closes the connections of the others. */
  async function connect(): Promise<IDBDatabase> {
    const requests: Promise<IDBDatabase>[] = []
    let first: IDBDatabase | undefined
    try {
      while (requests.length < opens) {
        requests.push(openOnce())
        const answer = Promise.race(requests)
        if (!(await within(clock, reopenMs, answer))) continue
        first = await answer
        // Another tab deletes or upgrades the database, or the browser closes it: open again at the next use.
        first.onversionchange = close
        first.onclose = forget
        return first
      }
    } finally {
      for (const other of requests) other.then((db) => db === first || db.close()).catch(() => {})
    }
    throw timedOut()
  }

  async function run<T>(mode: IDBTransactionMode, work: (raw: unknown, rows: IDBObjectStore) => T): Promise<T> {
    const db = await (opening ??= connect())
    const tx = db.transaction(table, mode)
    const step = new Promise<T>((resolve, reject) => {
      const rows = tx.objectStore(table)
      const request = rows.get(key)
      let result: T
      let failure: unknown
      request.onsuccess = () => {
        try {
          result = work(request.result, rows)
        } catch (error) {
          failure = error
          tx.abort()
        }
      }
      tx.oncomplete = () => resolve(result)
      tx.onabort = () => reject(failure ?? tx.error)
      // Chromium ends no transaction of a database that it closes: only its requests fail.
      tx.onerror = ({ target }) => reject(failure ?? (target as IDBRequest).error)
    })
    if (await within(clock, stepMs, step)) return step
    try {
      tx.abort()
    } catch {
      // Being committed: the next step finds the record that this one wrote.
    }
    throw timedOut()
  }

  return {
    close,
    read: () => run<TokenRecord | null>('readonly', (raw) => parseRecord(raw)),
    compareAndSet: (update: Update) =>
      run('readwrite', (raw, rows) => {
        const next = update(parseRecord(raw, true))
        if (next) rows.put(next, key)
        return !!next
      }),
  }
}

/** Error of a step without an answer. */
export const timedOut = () => new Error('Storage timed out')
