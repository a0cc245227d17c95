// Store of readers in memory, for tests of supervisors without a database.
import type { ChatEvent, ChatPlace } from '#server/core/chat.ts'
import type { ReaderStore } from '#server/chat/stores.ts'

const leaseMs = 15_000

interface Row {
  holder: string | null
  epoch: number
  until: number
  cursor: string | null
}

/** A store that several supervisors share. */
export interface MemoryStore extends ReaderStore {
  /** Chats that readers should read. */
  places: ChatPlace[]
  /** Time at which the first of them ends. */
  until: Date | null
  /** Stored events, with the epoch that wrote them. */
  readonly written: { readonly source: string; readonly epoch: number; readonly event: ChatEvent }[]
  /** Batches that an old epoch tried to write. */
  refused: number
  /** Makes every call fail. */
  isDown: boolean
}

/** Creates a store. Time is that of `Date.now`. */
export function createMemoryStore(places: ChatPlace[]): MemoryStore {
  const rows = new Map<string, Row>()
  const rowOf = (source: string): Row => {
    const row = rows.get(source) ?? { holder: null, epoch: 0, until: 0, cursor: null }
    rows.set(source, row)
    return row
  }
  const reachable = (): void => {
    if (store.isDown) throw new Error('The database is down')
  }
  const store: MemoryStore = {
    places,
    until: null,
    written: [],
    refused: 0,
    isDown: false,
    async reconcile() {
      reachable()
      return { places: store.places, until: store.until }
    },
    async free(sources) {
      reachable()
      return sources.filter((source) => rowOf(source).holder === null || rowOf(source).until <= Date.now())
    },
    async claim({ source }, holder) {
      reachable()
      const row = rowOf(source)
      if (row.holder !== null && row.holder !== holder && row.until > Date.now()) return null
      const since = row.holder === null ? null : new Date(row.until - leaseMs)
      Object.assign(row, { holder, epoch: row.epoch + (row.holder === holder ? 0 : 1), until: Date.now() + leaseMs })
      return { epoch: row.epoch, cursor: row.cursor, since }
    },
    async renew(holder, readers) {
      reachable()
      const ours = readers.filter(
        ({ source, epoch }) => rowOf(source).holder === holder && rowOf(source).epoch === epoch,
      )
      for (const { source } of ours) rowOf(source).until = Date.now() + leaseMs
      return new Set(ours.map(({ source }) => source))
    },
    async release(source, epoch) {
      const row = rowOf(source)
      if (row.epoch === epoch) row.holder = null
    },
    async write({ source }, epoch, events) {
      reachable()
      const row = rowOf(source)
      if (row.epoch !== epoch) {
        store.refused++
        return false
      }
      for (const event of events) {
        store.written.push({ source, epoch, event })
        if (event.is === 'message') row.cursor = event.cursor ?? row.cursor
      }
      return true
    },
  }
  return store
}
