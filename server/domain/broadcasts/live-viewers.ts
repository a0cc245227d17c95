// Viewer counts: requested once a minute from platforms that publish them, many broadcasts in one call where the platform allows
// it. An unpublished count stays unknown; a channel whose platform refuses or is unreachable is left out for a while. A new
// broadcast at a platform gets its stream settings.
import type { Services } from '#server/core/context.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { scheduleJobs } from '#server/db/jobs.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { askAudiences, describeAtPlatform } from '#server/domain/platforms/account-broadcasts.ts'
import { factsOf } from './records.ts'
import { type CountedRow, listCounted, listCountedAccounts, updateViewers } from './store.ts'
import { insertViewers } from './samples-store.ts'
import { findHeal, healJobOf } from './heals-store.ts'
import { findPlannedByPage } from './planned-store.ts'
import { findTitleOnAir } from './titles-store.ts'
import { isAskedSoon, isDark, recordSight, seenOf, sight } from './sightings.ts'

/** Interval between requests for the viewers of a broadcast, milliseconds. */
export const viewersEveryMs = 60_000
/** Interval in which channels that their platform does not show yet, or no longer, are looked for, milliseconds. */
export const doubtsEveryMs = 10_000
/** Time in which the page of a restream is looked for, also where the quota of its platform is nearly used up, milliseconds. */
const newMs = 600_000
const awayMs = 120_000
const refusedMs = 600_000
/** Settings of new broadcasts that are sent concurrently. */
const atOnce = 8

/** Times until which channels are not requested, per database. */
const resting = new WeakMap<Db, Map<number, number>>()

/** Viewers of a restream, as its platform reports them. */
export interface ViewerReading {
  readonly restream: CountedRow
  /** Null: unknown. */
  readonly viewers: number | null
  /** Page of the broadcast, where the platform reports it. */
  readonly page?: string
  /** The platform shows the broadcast; absent: unknown. */
  readonly onAir?: boolean
  readonly ended?: boolean
  /** Why not, in the words of the platform. */
  readonly words?: string
}

/**
 * Requests the viewers of all broadcasts on air once: two statements read what is due, one transaction writes what changed.
 * @param onReadings notified of the counts after they are stored
 * @param ofDoubts requests only channels that their platform has not shown yet, or did not show last time
 */
export async function askForViewers(
  services: Services,
  onReadings: (readings: readonly ViewerReading[]) => void | Promise<void> = () => undefined,
  { ofDoubts = false }: { readonly ofDoubts?: boolean } = {},
): Promise<void> {
  const now = services.clock.now().getTime()
  const isSoon = (row: CountedRow) =>
    isLive(row) && isAskedSoon(seenOf(row), { type: row.type, liveAt: liveAtOf(row), now })
  const rows = (await listCounted(services.db)).filter((row) => !ofDoubts || isSoon(row))
  if (rows.length === 0) return
  const readings = await readingsOf(services, rows)
  await store(services, readings, !ofDoubts)
  const begun = readings.filter(({ restream, page }) => page !== undefined && page !== restream.url)
  for (let index = 0; index < begun.length; index += atOnce)
    await Promise.all(begun.slice(index, index + atOnce).map((one) => describe(services, one)))
  const counted = readings.filter(({ viewers }) => viewers !== null)
  if (counted.length > 0) await onReadings(counted)
}

async function readingsOf(services: Services, rows: readonly CountedRow[]): Promise<ViewerReading[]> {
  const { db, clock, log } = services
  const now = clock.now().getTime()
  const rests = resting.get(db) ?? new Map<number, number>()
  resting.set(db, rests)
  for (const [channelId, until] of rests) if (until <= now) rests.delete(channelId)
  const accounts = new Map((await listCountedAccounts(db)).map((account) => [account.id, account]))
  const due = rows.flatMap((restream) => {
    const account = accounts.get(restream.account_id ?? 0)
    if (!account || !isLive(restream) || rests.has(restream.channel_id)) return []
    const isNew = now - liveAtOf(restream) < newMs
    const { external_id: externalId, video_id: videoId, url: page } = restream
    const seen = seenOf(restream)
    const isDoubted = seen !== null && seen.misses > 0 && seen.words === undefined
    return [{ restream, account, externalId: externalId ?? '', videoId, page, isNew, isDark: isDoubted }]
  })
  const answers = new Map((await askAudiences(services, due)).map((answer, index) => [due[index]?.restream, answer]))
  return rows.map((restream) => {
    const answer = answers.get(restream)
    if (answer instanceof Error) {
      rests.set(restream.channel_id, now + (answer instanceof ProviderUnavailableError ? awayMs : refusedMs))
      log.info({ err: answer, channel: restream.channel_id }, 'Requesting viewers from a platform failed')
    }
    return { restream, ...(answer instanceof Error || !answer ? { viewers: null } : answer) }
  })
}

/** Settings that a planned broadcast has from its schedule. */
const ofSchedule: ReadonlySet<string> = new Set(['title', 'description', 'privacy_video', 'audience'])

/** Sends the stream settings to a broadcast that the platform made from the stream. Healing describes its own. */
async function describe(services: Services, { restream, page }: ViewerReading): Promise<void> {
  const { project_id: projectId, broadcast_id: broadcastId, channel_id: channelId, healing } = restream
  try {
    const heal = healing === 1 ? await findHeal(services.db, { broadcastId, channelId }) : undefined
    if (heal && heal.video_id !== null && page?.endsWith(heal.video_id)) return
    const planned = page === undefined ? undefined : await findPlannedByPage(services.db, channelId, page)
    const title = planned ? undefined : (await findTitleOnAir(services.db, projectId, channelId))?.title
    const own = planned && { without: ofSchedule, ...(planned.video_id !== null && { videoId: planned.video_id }) }
    await describeAtPlatform(services, channelId, { title, ...own })
  } catch (error) {
    services.log.info({ err: error, channel: channelId }, 'Sending stream settings to a platform failed')
  }
}

const isLive = (restream: CountedRow): boolean => ['live', 'degraded'].includes(factsOf(restream).state)
const liveAtOf = ({ date_live, date_create }: CountedRow): number => Date.parse(date_live ?? date_create)

/** Stores the changes of restreams, and the sum of each broadcast when they are all of it. */
async function store({ db, clock }: Services, readings: readonly ViewerReading[], isWhole: boolean): Promise<void> {
  const now = clock.now().getTime()
  const sightings = readings.map(({ restream, onAir = null, ended, words }) => ({
    before: seenOf(restream),
    now: isLive(restream)
      ? sight(seenOf(restream), { onAir, ended, words }, { type: restream.type, liveAt: liveAtOf(restream), now })
      : null,
  }))
  const changed = readings.flatMap(({ restream, viewers, page }, index) => {
    const seen = sightings[index]?.now ?? null
    const text = seen && JSON.stringify(seen)
    const isSame =
      viewers === restream.viewers && (page === undefined || page === restream.url) && text === restream.seen
    return isSame ? [] : [{ id: restream.id, viewers, page: page ?? null, seen: text }]
  })
  const sums = new Map<number, number>()
  for (const { restream, viewers } of isWhole ? readings : [])
    if (viewers !== null) sums.set(restream.broadcast_id, (sums.get(restream.broadcast_id) ?? 0) + viewers)
  if (changed.length === 0 && sums.size === 0) return
  const step = viewersEveryMs / 1000
  const at = Math.floor(clock.now().getTime() / 1000 / step) * step
  const healable = readings.flatMap(({ restream }, index) => {
    const { before = null, now: seen = null } = sightings[index] ?? {}
    const isNews = isDark(seen) || seen?.state !== before?.state
    return restream.healing === 1 && isNews ? [healJobOf(restream.broadcast_id, restream.channel_id)] : []
  })
  await transaction(db, async (trx) => {
    await updateViewers(trx, changed)
    await scheduleJobs(trx, healable)
    for (const [index, { restream }] of readings.entries()) {
      const { project_id: projectId, broadcast_id: broadcastId, channel_id: channelId, name } = restream
      const sighting = sightings[index]
      if (sighting) await recordSight({ clock }, trx, { projectId, broadcastId, channelId, name, ...sighting })
    }
    await insertViewers(
      trx,
      [...sums].map(([broadcast_id, viewers]) => ({ broadcast_id, step, at, viewers })),
    )
  })
}
