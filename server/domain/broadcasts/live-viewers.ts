// Viewer counts: requested once a minute from platforms that publish them. An unpublished count stays unknown; the next
// request to a platform that refuses or is unreachable is delayed. A new broadcast at a platform gets its stream settings.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { type BroadcastRow, claimDueForViewers, listRestreams, type RestreamRow, updateRestream } from './store.ts'
import { insertViewers } from './samples-store.ts'
import { factsOf } from './records.ts'
import { listTargets, type TargetRow } from './live-targets-store.ts'
import { askAudience, describeAtPlatform } from '#server/domain/platforms/providers/account-broadcasts.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import type { Audience } from '#server/domain/platforms/providers/provider.ts'

/** Interval between requests for the viewers of a broadcast, milliseconds. */
export const viewersEveryMs = 60_000
/** Time in which the page of a restream is looked for, also where the quota of its platform is nearly used up, milliseconds. */
const newMs = 600_000
const awayMs = 120_000
const refusedMs = 600_000
/** Broadcasts of one round. */
const batch = 200
/** Broadcasts that are handled concurrently. */
const atOnce = 8

/** Times until which channels are not requested, per database. */
const resting = new WeakMap<Db, Map<number, number>>()

/** Viewers of a channel, as its platform reports them. */
export interface ViewerReading extends Audience {
  readonly restream: RestreamRow
}

/**
 * Requests the viewers of all broadcasts on air once. Any number of replicas may call it.
 * @param onReading notified of the counts after they are stored
 */
export async function askForViewers(
  services: Services,
  onReading: (row: BroadcastRow, seen: readonly ViewerReading[]) => void | Promise<void> = () => undefined,
): Promise<void> {
  const { db, clock } = services
  const due = iso(later(clock.now(), -viewersEveryMs))
  for (;;) {
    const rows = await claimDueForViewers(db, { due, now: iso(clock.now()), limit: batch })
    const ids = rows.map(({ id }) => id)
    const restreams = Map.groupBy(await listRestreams(db, ids), ({ broadcast_id }) => broadcast_id)
    const targets = Map.groupBy(await listTargets(db, ids), ({ broadcast_id }) => broadcast_id)
    const received = rows.filter(({ id }) => restreams.has(id))
    for (let index = 0; index < received.length; index += atOnce)
      await Promise.all(
        received.slice(index, index + atOnce).map((row) => {
          const parts = { restreams: restreams.get(row.id) ?? [], targets: targets.get(row.id) ?? [] }
          return request(services, row, parts, onReading)
        }),
      )
    if (rows.length < batch) return
  }
}

interface Parts {
  readonly restreams: readonly RestreamRow[]
  readonly targets: readonly TargetRow[]
}

async function request(
  services: Services,
  row: BroadcastRow,
  { restreams, targets }: Parts,
  onReading: (row: BroadcastRow, seen: readonly ViewerReading[]) => void | Promise<void>,
): Promise<void> {
  const asked = restreams.map(async (restream): Promise<ViewerReading> => {
    const videoId = targets.find(({ channel_id }) => channel_id === restream.channel_id)?.video_id ?? null
    const isLive = ['live', 'degraded'].includes(factsOf(restream).state)
    return { restream, ...((isLive && (await requestOne(services, restream, videoId))) || { viewers: null }) }
  })
  const seen = await Promise.all(asked)
  if (seen.some((one) => isChange(one))) await keep(services, row.id, seen)
  const begun = seen.filter(({ restream, page }) => page !== undefined && page !== restream.url)
  await Promise.all(begun.map(({ restream }) => describe(services, restream.channel_id)))
  const said = seen.filter(({ viewers }) => viewers !== null)
  if (said.length > 0) await onReading(row, said)
}

/** Returns whether the report of a channel changes its row. */
const isChange = ({ restream, viewers, page }: ViewerReading): boolean =>
  viewers !== null || restream.viewers !== null || (page !== undefined && page !== restream.url)

async function requestOne(
  services: Services,
  { channel_id: channelId, date_create, date_live }: RestreamRow,
  videoId: string | null,
): Promise<Audience | null> {
  const { db, clock } = services
  const mine = resting.get(db) ?? new Map<number, number>()
  resting.set(db, mine)
  const now = clock.now().getTime()
  if ((mine.get(channelId) ?? 0) > now) return null
  mine.delete(channelId)
  try {
    const isNew = now - Date.parse(date_live ?? date_create) < newMs
    return await askAudience(services, { channelId, videoId, isNew })
  } catch (error) {
    mine.set(channelId, now + (error instanceof ProviderUnavailableError ? awayMs : refusedMs))
    services.log.info({ err: error, channel: channelId }, 'Requesting viewers from a platform failed')
    return null
  }
}

/** Sends the stream settings to a broadcast that the platform made from the stream. */
async function describe(services: Services, channelId: number): Promise<void> {
  try {
    await describeAtPlatform(services, channelId)
  } catch (error) {
    services.log.info({ err: error, channel: channelId }, 'Sending stream settings to a platform failed')
  }
}

async function keep({ db, clock }: Services, broadcastId: number, seen: readonly ViewerReading[]): Promise<void> {
  const said = seen.flatMap(({ viewers }) => (viewers === null ? [] : [viewers]))
  await transaction(db, async (trx) => {
    for (const { restream, viewers, page } of seen) {
      const { id, url, viewers_max } = restream
      const most = viewers === null ? viewers_max : Math.max(viewers, viewers_max ?? 0)
      if (viewers === restream.viewers && most === viewers_max && (page ?? url) === url) continue
      const change = { viewers, viewers_max: most, url: page ?? url }
      await updateRestream(trx, id, change)
    }
    if (said.length === 0) return
    const step = viewersEveryMs / 1000
    const at = Math.floor(clock.now().getTime() / 1000 / step) * step
    const viewers = said.reduce((sum, count) => sum + count, 0)
    await insertViewers(trx, broadcastId, { step, at, viewers })
  })
}
