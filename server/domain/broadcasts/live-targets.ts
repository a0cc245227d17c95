// Targets of broadcasts at platforms that assign an address to each one: a job requests it when the broadcast starts, another
// one ends it. A refusal is an event and does not affect other channels.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { hourMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import type { ReadDb } from '#server/db/open.ts'
import { FencedError, type Outcome, scheduleJobs } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { type BroadcastRow, findOnAirById, updateRestreamUrl } from './store.ts'
import { recordDestination } from './records.ts'
import { sealSecret } from '#server/domain/channels/secrets.ts'
import { type ChannelRow, listAllChannels } from '#server/domain/channels/store.ts'
import { addressWithoutQuery, readAddress } from '#server/domain/channels/destinations.ts'
import { type DestinationFacts, type ServiceReason, untouched } from './live-facts.ts'
import {
  listEndable,
  listTargets,
  type TargetRow,
  targetEndKind,
  updateTarget,
  updateTargetDropped,
  updateTargetEnded,
  upsertTargetStarting,
} from './live-targets-store.ts'
import { endAtPlatform, startAtPlatform, startsAtPlatform } from '#server/domain/platforms/account-broadcasts.ts'
import { findTitleOnAir, updateTitle } from './titles-store.ts'
import { ProviderUnauthorizedError } from '#server/core/platform-api.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'

const backoff: Backoff = { firstMs: 15_000, mostMs: 300_000 }

/** Address and sealed secrets of a channel for this broadcast. */
export type TargetAddress = Pick<ChannelRow, 'address' | 'secret_sealed'>

/** Targets of a broadcast, compared with the channels that want one. */
export interface Targets {
  /** Assigned addresses by channel. */
  readonly addresses: ReadonlyMap<number, TargetAddress>
  /** Channels without a target, whose platform has to assign an address. */
  readonly missing: readonly number[]
  /** Channels whose target is not wanted any more and has no address yet. */
  readonly unwanted: readonly number[]
}

/**
 * Reads the targets of a broadcast.
 * @param rows channels that the project has switched on
 */
export async function readTargets(db: ReadDb, broadcastId: number, rows: readonly ChannelRow[]): Promise<Targets> {
  const wanting = rows.filter((row) => row.address === null && row.account_id !== null).map(({ id }) => id)
  const targets = await listTargets(db, [broadcastId])
  const known = targets.filter(({ state }) => state !== 'dropped').map(({ channel_id }) => channel_id)
  return {
    addresses: new Map(
      targets
        .filter(({ state }) => state === 'ready')
        .map(({ channel_id, address, secret_sealed }) => [channel_id, { address, secret_sealed }]),
    ),
    missing: wanting.filter((id) => !known.includes(id)),
    unwanted: targets
      .filter(({ channel_id, state }) => isOpen(state) && !wanting.includes(channel_id))
      .map(({ channel_id }) => channel_id),
  }
}

const isOpen = (state: TargetRow['state']) => state === 'starting' || state === 'failed'

/** Requests the address of a channel for a broadcast from its platform. The key is the broadcast and the channel. */
export const targetJob: JobKind = {
  kind: 'broadcasts.target',
  leaseMs: 60_000,
  atOnce: 16,
  backoff,
  parkAfter: 10,
  async run(services, job) {
    const { db } = services
    const [broadcastId = 0, channelId = 0] = job.key.split(':').map(Number)
    const onAir = await findOnAirById(db, broadcastId)
    if (!onAir) return 'done'
    const row = (await listAllChannels(db, onAir.project_id)).find(({ id }) => id === channelId)
    if (row?.active !== 1 || row.address !== null || !(await startsAtPlatform(services, row))) return 'done'
    const attempt = await upsertTargetStarting(db, { broadcastId, channelId })
    return attempt === null ? 'done' : await request(services, job, { onAir, row, attempt })
  },
}

/**
 * Schedules the requests for the addresses of channels.
 * @param skipsBackoff repeats failed requests immediately
 */
export const scheduleTargets = (
  { db }: Pick<Services, 'db'>,
  broadcastId: number,
  channelIds: readonly number[],
  skipsBackoff = false,
): Promise<void> =>
  transaction(db, (trx) =>
    scheduleJobs(
      trx,
      channelIds.map((id) => ({ kind: targetJob.kind, key: `${broadcastId}:${id}` })),
      { skipsBackoff },
    ),
  )

/** Repeats a failed request immediately. */
export async function retryTarget(services: Services, broadcastId: number, channelId: number): Promise<void> {
  const targets = await listTargets(services.db, [broadcastId])
  const isFailed = targets.some((target) => target.channel_id === channelId && target.state === 'failed')
  if (isFailed) await scheduleTargets(services, broadcastId, [channelId], true)
}

/** Ends a broadcast at the platforms that assigned an address. The key is the broadcast. */
export const targetEndJob: JobKind = {
  ...targetEndKind,
  leaseMs: 120_000,
  atOnce: 8,
  backoff: { firstMs: 15_000, mostMs: hourMs },
  parkAfter: 10,
  missing: async (db) => (await listEndable(db)).map(String),
  async run(services, { key }) {
    const { db, log } = services
    const broadcastId = Number(key)
    if (await findOnAirById(db, broadcastId)) return 'done'
    for (const { state, channel_id, video_id } of await listTargets(db, [broadcastId])) {
      if (state !== 'ready') continue
      await endAtPlatform(services, channel_id, video_id).catch((error: unknown) => {
        if (error instanceof ProviderUnavailableError) throw error
        log.info({ err: error, channel: channel_id }, 'A platform refused to end a broadcast')
      })
      await updateTargetEnded(db, broadcastId, channel_id)
    }
    return 'done'
  },
}

interface Request {
  readonly onAir: BroadcastRow
  readonly row: ChannelRow
  /** From 1. */
  readonly attempt: number
}

async function request(services: Services, job: Job, { onAir, row, attempt }: Request): Promise<Outcome> {
  const { db, config } = services
  if (attempt === 1) await record(services, onAir, row.id, { state: 'connecting', attempt })
  const which = { broadcastId: onAir.id, channelId: row.id, state: 'starting' } as const
  try {
    const title = await findTitleOnAir(db, onAir.project_id, row.id)
    const { url, key, videoId = null, page = null } = await startAtPlatform(services, row, title?.title)
    const address = readAddress(url, config)
    if ('fault' in address) throw new AppError(400, 'AddressNotUsable')
    await transaction(db, async (trx) => {
      await updateTarget(trx, which, {
        state: 'ready',
        address: addressWithoutQuery(address),
        secret_sealed: sealSecret(services, { key, query: address.query }),
        video_id: videoId,
        url: page,
      })
      if (title) await updateTitle(trx, title, { state: 'set', reason: null, words: null })
      await job.finish(trx, 'done')
    })
    await updateRestreamUrl(db, which, page)
    return 'done'
  } catch (error) {
    if (error instanceof FencedError) throw error
    return await fail(services, onAir, which, { error, attempt })
  }
}

async function fail(
  services: Services,
  onAir: BroadcastRow,
  which: { readonly broadcastId: number; readonly channelId: number; readonly state: 'starting' },
  { error, attempt }: { readonly error: unknown; readonly attempt: number },
): Promise<Outcome> {
  const { db, clock, log } = services
  const isPassing = error instanceof ProviderUnavailableError || !(error instanceof AppError)
  if (!(error instanceof AppError)) log.error({ err: error }, 'Requesting an address from a platform failed')
  const againMs = isPassing ? backoffMs(backoff, attempt) : null
  const next = againMs === null ? null : later(clock.now(), againMs)
  await updateTarget(db, which, { state: 'failed', date_next: next && iso(next) })
  await record(services, onAir, which.channelId, {
    state: isPassing ? 'backoff' : 'rejected',
    attempt,
    reason: reasonOf(error),
    words: error instanceof AppError && !isPassing ? error.message : null,
    nextRetry: next && next.getTime(),
  })
  return againMs === null ? 'done' : { againMs }
}

function reasonOf(error: unknown): ServiceReason {
  if (error instanceof ProviderUnauthorizedError) return 'account'
  return error instanceof AppError && !(error instanceof ProviderUnavailableError)
    ? 'platform-refused'
    : 'platform-away'
}

/** Drops the target of a channel that is not wanted any more, before it has an address. */
export async function dropTarget(services: Services, onAir: BroadcastRow, channelId: number): Promise<void> {
  if (await updateTargetDropped(services.db, onAir.id, channelId))
    await record(services, onAir, channelId, { state: 'stopped' })
}

/** Records the state of a destination as a relay node would report it. */
const record = ({ db, clock }: Services, onAir: BroadcastRow, channelId: number, facts: Partial<DestinationFacts>) =>
  transaction(db, async (trx) => {
    const now = clock.now()
    await recordDestination(
      { clock },
      trx,
      onAir,
      { ...untouched, id: channelId, state: 'idle', since: now.getTime(), ...facts },
      { at: iso(now) },
    )
  })
