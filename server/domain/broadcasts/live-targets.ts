// Targets of broadcasts at platforms that assign an address to each one. Requested in the background when the broadcast
// starts, ended when it is over. A refusal is an event and does not affect other channels.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { updateRestreamUrl } from './restreams-store.ts'
import { type BroadcastRow, findOnAir } from './store.ts'
import { recordDestination } from './records.ts'
import { sealSecret } from '#server/domain/channels/secrets.ts'
import type { ChannelRow } from '#server/domain/channels/store.ts'
import { addressWithoutQuery, readAddress } from '#server/domain/channels/destinations.ts'
import { type DestinationFacts, type ServiceReason, untouched } from './live-facts.ts'
import {
  updateTargetClaim,
  updateTargetDropped,
  updateTargetEnded,
  listEndable,
  listTargets,
  type TargetRow,
  updateTarget,
} from './live-targets-store.ts'
import {
  endAtPlatform,
  startAtPlatform,
  startsAtPlatform,
} from '#server/domain/platforms/providers/account-broadcasts.ts'
import { ProviderUnauthorizedError } from '#server/domain/platforms/providers/api.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'

/** A request without a result for this long is repeated. */
const claimMs = 60_000
const targetRetryMs = 15_000
const targetRetryMsMax = 300_000

/** Address and sealed secrets of a channel for this broadcast. */
export type TargetAddress = Pick<ChannelRow, 'address' | 'secret_sealed'>

/**
 * Returns the assigned addresses of channels without an own one. Requests missing ones in the background, for the next call.
 * @param rows channels that the project has switched on
 */
export async function targetAddresses(
  services: Services,
  projectId: number,
  rows: readonly ChannelRow[],
): Promise<ReadonlyMap<number, TargetAddress>> {
  const wanting = rows.filter((row) => row.address === null && row.account_id !== null)
  const onAir = await findOnAir(services.db, projectId)
  if (!onAir) return new Map()
  const targets = await listTargets(services.db, onAir.id)
  if (wanting.length === 0 && targets.length === 0) return new Map()
  const now = iso(services.clock.now())
  for (const row of wanting) {
    const target = targets.find(({ channel_id }) => channel_id === row.id)
    if (isDue(target, now)) background(services, begin(services, onAir, row))
  }
  const unwanted = targets.filter(
    ({ channel_id, state }) => isOpen(state) && !wanting.some(({ id }) => id === channel_id),
  )
  for (const target of unwanted) await drop(services, onAir, target)
  return new Map(
    targets
      .filter(({ state }) => state === 'ready')
      .map(({ channel_id, address, secret_sealed }) => [channel_id, { address, secret_sealed }]),
  )
}

const isOpen = (state: TargetRow['state']) => state === 'starting' || state === 'failed'
const isDue = (target: TargetRow | undefined, now: string) =>
  !target ||
  target.state === 'dropped' ||
  (isOpen(target.state) && target.date_next !== null && target.date_next <= now)

/** Makes a failed request due immediately. */
export const retryTarget = ({ db, clock }: Services, broadcastId: number, channelId: number): Promise<void> =>
  updateTarget(db, { broadcastId, channelId, state: 'failed' }, { date_next: iso(clock.now()) })

/** Ends a broadcast at the platforms that assigned an address, in the background. Failures are logged. */
export function endTargets(services: Services, broadcastId: number): void {
  background(services, endAll(services, broadcastId))
}

/** Ends broadcasts at platforms that ended here while the service did not run. */
export async function endForgotten(services: Services): Promise<void> {
  for (const id of await listEndable(services.db)) await endAll(services, id)
}

async function endAll(services: Services, broadcastId: number): Promise<void> {
  for (const target of await listTargets(services.db, broadcastId)) {
    if (target.state !== 'ready' || !(await updateTargetEnded(services.db, broadcastId, target.channel_id))) continue
    await endAtPlatform(services, target.channel_id, target.video_id).catch((error: unknown) =>
      services.log.info({ err: error, channel: target.channel_id }, 'Ending a broadcast at its platform failed'),
    )
  }
}

async function begin(services: Services, onAir: BroadcastRow, row: ChannelRow): Promise<void> {
  const { db, clock, config } = services
  if (!(await startsAtPlatform(services, row))) return
  const now = clock.now()
  const attempt = await updateTargetClaim(
    db,
    { broadcastId: onAir.id, channelId: row.id },
    iso(now),
    iso(later(now, claimMs)),
  )
  if (attempt === null) return
  if (attempt === 1) await record(services, onAir, row.id, { state: 'connecting', attempt })
  const which = { broadcastId: onAir.id, channelId: row.id, state: 'starting' } as const
  try {
    const { url, key, videoId = null, page = null } = await startAtPlatform(services, row)
    const address = readAddress(url, config)
    if ('fault' in address)
      throw new AppError(400, 'AddressNotUsable', 'The platform gave an address that cannot be used')
    await updateTarget(db, which, {
      state: 'ready',
      address: addressWithoutQuery(address),
      secret_sealed: sealSecret(services, { key, query: address.query }),
      video_id: videoId,
      url: page,
      date_next: null,
    })
    await updateRestreamUrl(db, which, page)
  } catch (error) {
    await fail(services, onAir, which, { error, attempt })
  }
}

async function fail(
  services: Services,
  onAir: BroadcastRow,
  which: { readonly broadcastId: number; readonly channelId: number; readonly state: 'starting' },
  { error, attempt }: { readonly error: unknown; readonly attempt: number },
): Promise<void> {
  const { db, clock, log } = services
  const isPassing = error instanceof ProviderUnavailableError || !(error instanceof AppError)
  if (!(error instanceof AppError)) log.error({ err: error }, 'Requesting an address from a platform failed')
  const wait = Math.min(targetRetryMsMax, targetRetryMs * 2 ** (attempt - 1))
  const next = isPassing ? later(clock.now(), wait) : null
  await updateTarget(db, which, { state: 'failed', date_next: next && iso(next) })
  await record(services, onAir, which.channelId, {
    state: isPassing ? 'backoff' : 'rejected',
    attempt,
    reason: reasonOf(error),
    words: error instanceof AppError && !isPassing ? error.message : null,
    nextRetry: next && next.getTime(),
  })
}

function reasonOf(error: unknown): ServiceReason {
  if (error instanceof ProviderUnauthorizedError) return 'account'
  return error instanceof AppError && !(error instanceof ProviderUnavailableError)
    ? 'platform-refused'
    : 'platform-away'
}

async function drop(services: Services, onAir: BroadcastRow, { channel_id }: TargetRow): Promise<void> {
  if (await updateTargetDropped(services.db, onAir.id, channel_id))
    await record(services, onAir, channel_id, { state: 'stopped' })
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

const running = new WeakMap<Db, Set<Promise<void>>>()

function background({ db, log }: Services, task: Promise<void>): void {
  const mine = running.get(db) ?? new Set()
  running.set(db, mine)
  const watched = task.catch((error: unknown) => log.error({ err: error }, 'Storing a target of a broadcast failed'))
  const kept = watched.finally(() => mine.delete(kept))
  mine.add(kept)
}

/** Waits for pending requests, before the database is closed. */
export async function settleTargets(db: Db): Promise<void> {
  const mine: Iterable<Promise<void>> = running.get(db) ?? []
  await Promise.all(mine)
}
