// Selects the chats to read: those of broadcasts on air, or just ended, that are watched or whose plan reads in the background.
import type { ChatPlace } from '#server/core/chat.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { Db, ReadDb } from '#server/db/open.ts'
import { claimOwner, listOwned, lockOwner, releaseOwner, renewOwners } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { listLimits } from '#server/domain/tariffs/plan-limits.ts'
import { listReadableChats } from './places.ts'
import { findWatch, listAirWatches, updateReader, upsertFeeds, upsertReader, upsertWatch } from './readers-store.ts'

/** Time after the end of a broadcast in which its chats are still read, milliseconds: delayed messages arrive then. */
const afterEndMs = 10_000
/** Time that a call of `chat/watch` keeps readers, milliseconds. */
const watchMs = 120_000
/** Lease of a reader, milliseconds. Its holder renews it each 5 seconds. */
export const readerLeaseMs = 15_000

/** Keeps the chats of a project read for two minutes. @returns the end, ISO 8601 */
export async function watchChat(services: Pick<Services, 'db' | 'clock' | 'chat'>, projectId: number): Promise<string> {
  const { db, clock, chat } = services
  const known = await findWatch(db, projectId)
  const until = iso(later(clock.now(), watchMs))
  await upsertWatch(db, projectId, until)
  // A page that keeps watching changes no place.
  if (known === undefined || known <= iso(clock.now())) chat.wake()
  return until
}

/** The chats to read. */
export interface WantedPlaces {
  /** Each source once. */
  readonly places: readonly ChatPlace[]
  /** Restreams that the sources feed. */
  readonly feeds: Parameters<typeof upsertFeeds>[1]
  /** Time at which the first of them ends, if nothing changes; null: none does. */
  readonly until: Date | null
}

/** Returns the chats to read now. */
export async function readWantedPlaces(
  services: Pick<Services, 'clock' | 'config'>,
  db: ReadDb,
): Promise<WantedPlaces> {
  const { clock } = services
  const now = iso(clock.now())
  const rows = await listAirWatches(db, iso(later(clock.now(), -afterEndMs)))
  const readable = await listReadableChats(
    services,
    db,
    rows.map(({ id }) => id),
  )
  const withChats = new Set(readable.map(({ broadcast_id }) => broadcast_id))
  // The next broadcast may have another account or video in the same chat.
  const onAirFirst = rows
    .filter(({ id }) => withChats.has(id))
    .toSorted((a, b) => Number(a.date_end !== null) - Number(b.date_end !== null))
  const limitsBy = await listLimits(services, db, [...new Set(onAirFirst.map(({ project_id }) => project_id))])
  const readIds: number[] = []
  const ends: number[] = []
  for (const { id, project_id, date_end, date_until } of onAirFirst) {
    const isWatched = date_until !== null && date_until > now
    const limits = limitsBy.get(project_id)
    if (!limits?.chat || (!isWatched && !limits.background_chat)) continue
    readIds.push(id)
    if (date_end !== null) ends.push(Date.parse(date_end) + afterEndMs)
    else if (!limits.background_chat && date_until !== null) ends.push(Date.parse(date_until))
  }
  const chats = readable.filter(({ broadcast_id }) => readIds.includes(broadcast_id))
  const byBroadcast = Map.groupBy(chats, ({ broadcast_id }) => broadcast_id)
  const wanted = new Map<string, ChatPlace>()
  for (const { place } of readIds.flatMap((id) => byBroadcast.get(id) ?? [])) {
    // A place with an account can do more than one without.
    const known = wanted.get(place.source)
    if (!known || (known.accountId === null && place.accountId !== null)) wanted.set(place.source, place)
  }
  return {
    places: [...wanted.values()],
    feeds: chats.map(({ place, ...ids }) => ({ ...ids, source: place.source })),
    until: ends.length === 0 ? null : new Date(Math.min(...ends)),
  }
}

/** Reads the chats to read now, and stores which restreams they feed. */
export async function reconcilePlaces(services: Pick<Services, 'db' | 'clock' | 'config'>): Promise<WantedPlaces> {
  const wanted = await readWantedPlaces(services, services.db)
  await upsertFeeds(services.db, wanted.feeds)
  return wanted
}

/** The right to read a source. */
export interface ReaderClaim {
  /** Sent with each batch: `storeChatEvents`. */
  readonly epoch: number
  /** Position at the platform of an earlier reader; null: none. */
  readonly cursor: string | null
  /** Time since which nothing was read, ISO 8601; null: the earlier reader gave the lease back, or there was none. */
  readonly gapSince: string | null
}

/** Claims the reader of a source. @returns null while another holder has it */
export async function claimReader(
  db: Db,
  of: { readonly source: string; readonly platform: PlatformType; readonly holder: string },
): Promise<ReaderClaim | null> {
  return transaction(db, async (trx) => {
    const { source, platform, holder } = of
    const before = await lockOwner(trx, 'chat', source)
    const epoch = await claimOwner(trx, { kind: 'chat', key: source, holder, ms: readerLeaseMs })
    if (epoch === null) return null
    const row = await upsertReader(trx, source, platform)
    // A holder that died was reading until its last renewal.
    const renewed = before && before.holder !== '' ? iso(new Date(before.until - readerLeaseMs)) : null
    const gapSince = row.date_gap ?? renewed
    if (gapSince !== row.date_gap) await updateReader(trx, source, { date_gap: gapSince })
    return { epoch, cursor: row.cursor, gapSince }
  })
}

/** Renews the readers of a holder, in one statement. @returns the sources that it still has */
export const renewReaders = (
  db: Db,
  holder: string,
  readers: readonly { readonly source: string; readonly epoch: number }[],
): Promise<ReadonlySet<string>> =>
  renewOwners(
    db,
    'chat',
    holder,
    readers.map(({ source, epoch }) => ({ key: source, epoch, ms: readerLeaseMs })),
  )

/** Returns those of sources that no holder reads. */
export async function listFreeSources(db: ReadDb, sources: readonly string[]): Promise<string[]> {
  const owned = await listOwned(db, 'chat', sources)
  return sources.filter((source) => !owned.has(source))
}

/** Gives a reader back, unless another holder has claimed it. */
export const releaseReader = (db: Db, source: string, epoch: number): Promise<void> =>
  transaction(db, async (trx) => {
    if (!(await releaseOwner(trx, 'chat', source, epoch))) return
    await updateReader(trx, source, { state: 'off', reason: null, date_retry: null, date_gap: null })
  })
