// Inbox of messages that a platform delivers to one replica, by webhook or by the one loop of the bot, while the reader of the
// chat may run on another replica. A killed reader loses nothing: rows stay until its events are stored.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { type InboxRow, insertInbox, listInbox, listOpenInboxes, removeInbox, upsertInbox } from './inbox-store.ts'

/** A message as the platform delivered it. */
export interface Delivery {
  /** Platform and its id of the chat, `kick:123`. */
  readonly source: string
  /** The platform's id of the delivery; repeated ones are dropped. */
  readonly externalId: string
  readonly body: unknown
}

/** An inbox stays open for this time after its reader was last seen, longer than another replica takes to take over. */
const openMs = 60_000
const renewMs = 20_000
/** Time after which a taken row is removed: its event is stored by then. */
const settledMs = 10_000
/** Time in which a row with a smaller id than a taken one may still be committed. */
const orderMs = 2_000
/** Wait for rows that another replica inserted. */
const pollMs = 500
const rowsMax = 2000

/** Opens the inbox of a chat for a minute, before its reader reads. */
export const openInbox = (db: Db, source: string): Promise<void> => upsertInbox(db, source, openMs)

const wakes = new WeakMap<Db, Map<string, Set<() => void>>>()

/** Stores messages for the readers of their chats; those of chats without a reader are dropped. @returns the number of new ones */
export async function deliver(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  deliveries: readonly Delivery[],
): Promise<number> {
  const open = await listOpenInboxes(db, [...new Set(deliveries.map(({ source }) => source))])
  const rows = deliveries
    .filter(({ source }) => open.has(source))
    .map(({ source, externalId, body }) => ({
      source,
      external_id: externalId,
      body: JSON.stringify(body),
      date_create: iso(clock.now()),
    }))
  return await insertInbox(db, rows)
}

/** Wakes the readers of chats in this process. Call it after the commit of `deliver`. */
export function wakeInboxes(db: Db, sources: Iterable<string>): void {
  for (const source of sources) for (const wake of wakes.get(db)?.get(source) ?? []) wake()
}

/**
 * Reads the inbox of a chat until the signal aborts. Another reader of the same chat receives the rows of the last seconds again.
 * @returns the body of each delivery, unknown to the schema of this version at worst
 */
export async function* readInbox(db: Db, source: string, signal: AbortSignal): AsyncGenerator<unknown, void> {
  const taken = new Map<number, number>()
  /** Rows up to this id are taken. */
  let after = 0
  let renewAt = 0
  const { wait, close } = wakeable(db, source, signal)
  try {
    while (!signal.aborted) {
      const now = performance.now()
      if (now >= renewAt) await upsertInbox(db, source, openMs)
      if (now >= renewAt) renewAt = now + renewMs
      for (const [id, at] of taken) if (at < now - orderMs) after = Math.max(after, id)
      const limit = rowsMax + [...taken.keys()].filter((id) => id > after).length
      const rows = await listInbox(db, source, { after, limit })
      for (const row of rows) {
        if (signal.aborted) return
        if (taken.has(row.id)) continue
        taken.set(row.id, performance.now())
        yield bodyOf(row)
      }
      await removeSettled(db, taken)
      if (rows.length < limit) await wait()
    }
  } finally {
    close()
  }
}

async function removeSettled(db: Db, taken: Map<number, number>): Promise<void> {
  const before = performance.now() - settledMs
  const settled = [...taken].filter(([, at]) => at < before).map(([id]) => id)
  await removeInbox(db, settled)
  for (const id of settled) taken.delete(id)
}

/** Returns a wait that ends with a delivery in this process, after `pollMs`, or with the signal. */
function wakeable(db: Db, source: string, signal: AbortSignal) {
  let isWoken = false
  let resume: (() => void) | null = null
  const wake = () => {
    isWoken = true
    resume?.()
  }
  const ofDb = wakes.get(db) ?? new Map<string, Set<() => void>>()
  wakes.set(db, ofDb)
  const ofSource = ofDb.get(source) ?? new Set()
  ofDb.set(source, ofSource.add(wake))
  signal.addEventListener('abort', wake)
  return {
    async wait(): Promise<void> {
      if (!isWoken && !signal.aborted) {
        await new Promise<void>((done) => {
          resume = done
          setTimeout(done, pollMs).unref()
        })
      }
      resume = null
      isWoken = false
    },
    close(): void {
      signal.removeEventListener('abort', wake)
      ofSource.delete(wake)
      if (ofSource.size === 0) ofDb.delete(source)
    },
  }
}

function bodyOf({ body }: InboxRow): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return null
  }
}
