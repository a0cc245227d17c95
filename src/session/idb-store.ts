// Ledger in IndexedDB: the only browser storage with atomic read and write across tabs.
import { parseRecord } from './record.ts'
import type { TokenRecord, Update } from './types.ts'

const table = 'session'

/** One record under `key`; the connection opens on demand. */
export function createIdb(key: string) {
  let opening: Promise<IDBDatabase> | undefined

  const forget = () => {
    opening = undefined
  }
  const close = () => {
    opening?.then((db) => db.close()).catch(() => {})
    forget()
  }
  const open = () =>
    (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('relaydeck', 1)
      request.onupgradeneeded = () => request.result.createObjectStore(table)
      request.onsuccess = () => {
        const db = request.result
        // Another tab deletes or upgrades the database, or the browser closes it: open again at the next use.
        db.onversionchange = close
        db.onclose = forget
        resolve(db)
      }
      request.onerror = () => reject(request.error)
    }))

  async function run<T>(mode: IDBTransactionMode, work: (raw: unknown, rows: IDBObjectStore) => T): Promise<T> {
    const db = await open()
    return new Promise<T>((resolve, reject) => {
      const tx = db.transaction(table, mode)
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
    })
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
