// Broadcasts on air: admission of encoders, desired state for the relay, and events that nodes report.
import type { Lease } from '#contract/relay/from-node.ts'
import type { DestinationState } from '#contract/relay/reports.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { DesiredDestination, DesiredRecording, DesiredTranscoder } from '#contract/relay/desired-state.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { isOverLimit, networkOf } from '#server/core/limits.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { type Claim, claimAir, isOwners, renewLeases } from './air-leases.ts'
import { factsOf, recordEnd, recordFact } from './records.ts'
import { insertEvent } from './events-store.ts'
import { lockLeases, updateLastReport, updateOthersFree } from './leases-store.ts'
import { listRestreams } from './restreams-store.ts'
import { type BroadcastRow, findOnAir, listOnAirOfNode, updatePause } from './store.ts'
import { findStopped } from './stops.ts'
import { recordUnreadable } from './unreadable-keys.ts'
import { wakeWaiting } from './waits.ts'
import { unsealSecret } from '#server/domain/channels/secrets.ts'
import { listAllChannels } from '#server/domain/channels/store.ts'
import { readAddress } from '#server/domain/channels/destinations.ts'
import { anotherEncoder } from './live-facts.ts'
import { endTargets, targetAddresses } from './live-targets.ts'
import { reopenLost } from './lost-nodes.ts'
import { allowanceOf, storageGb } from '#server/domain/tariffs/allowances.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { allowedOf } from '#server/domain/ingest/transcoder-limits.ts'
import { desiredRecordingOf } from './recordings.ts'
import { findProjectByStreamKey, streamKeyOnAir } from '#server/domain/ingest/stream-keys.ts'
import { desiredTranscoderOf } from './transcoders-live.ts'
import { listTranscoders, type TranscoderRow } from '#server/domain/ingest/transcoders-store.ts'
import { listPullKeyIds } from '#server/domain/ingest/pull-keys-store.ts'

const wrongKeysPerMinute = 30
/** Limit for an encoder that connects and disconnects in a loop: it would fill the history. */
const broadcastsPerMinute = 10

/** Admission of an encoder that may publish. */
export type EncoderAdmission =
  /** A user stopped its broadcast: the node keeps the encoder connected and sends nothing to destinations. */
  | { readonly projectId: number; readonly isStopped: true }
  | ({ readonly projectId: number; readonly isStopped: false } & Claim)

/** An encoder that may not publish. `conflict`: another encoder sends. */
export interface EncoderRefusal {
  /** Message for the user of the encoder. */
  readonly refuse: string
  readonly reason?: 'conflict'
}

/**
 * Finds the project of a stream key, and makes the node its owner.
 * @param encoder `node`: the relay node that the encoder is connected to
 */
export async function admitEncoder(
  services: Services,
  { key, address, node }: { readonly key: string; readonly address: string; readonly node: string },
): Promise<EncoderAdmission | EncoderRefusal> {
  const found = await findProjectByStreamKey(services, key)
  if (!found) {
    const isMany = isOverLimit(services.limits, `stream-key ${networkOf(address)}`, wrongKeysPerMinute)
    if (isMany) return { refuse: 'Too many wrong keys. Wait a minute' }
    return { refuse: 'The stream key is not known. Copy it again from Stream setup' }
  }
  const { projectId } = found
  if (await findStopped(services, projectId)) return { projectId, isStopped: true }
  const onAir = await findOnAir(services.db, projectId)
  if (!onAir && isOverLimit(services.limits, `broadcasts ${projectId}`, broadcastsPerMinute))
    return { refuse: 'Too many broadcasts began. Wait a minute, then start again' }
  const claim = await claimAir(services.db, projectId, node)
  return claim ? { projectId, isStopped: false, ...claim } : { refuse: anotherEncoder, reason: 'conflict' }
}

/** Returns the desired state of the relay for a project. */
export async function desiredStateOf(
  services: Services,
  projectId: number,
): Promise<{
  readonly destinations: DesiredDestination[]
  readonly transcoders: DesiredTranscoder[]
  readonly pullKeys: number[]
  readonly keyMark: string
  readonly waitMs: number
  readonly record?: DesiredRecording
  /** Destinations receive nothing while the broadcast is paused. */
  readonly paused: boolean
  readonly kbpsMax: number
  /** A user has stopped the broadcast. */
  readonly isStopped: boolean
}> {
  const { channelMax, bitrateMax, waitMaxMinutes } = await limitsOf(services, services.db, projectId)
  const { keyMark, waitMinutes, isRecorded } = await streamKeyOnAir(services.db, projectId)
  const onAir = await findOnAir(services.db, projectId)
  const transcoders = await listTranscoders(services.db, projectId)
  const allowed = allowedOf(transcoders, await allowanceOf(services, services.db, projectId, 'transcoding'))
  const destinations = await destinationsOf(services, projectId, { channelMax, transcoders, allowed })
  return {
    destinations,
    // A transcoder without channels need not run.
    transcoders: transcoders
      .filter(({ id }) => destinations.some(({ transcoder }) => transcoder === id))
      .map(desiredTranscoderOf),
    pullKeys: await listPullKeyIds(services.db, projectId),
    keyMark,
    ...(isRecorded &&
      (await desiredRecordingOf(services, projectId, {
        gigabytes: await storageGb(services, services.db, projectId),
        node: onAir?.node,
      }))),
    waitMs: Math.min(waitMinutes, waitMaxMinutes) * 60_000,
    paused: onAir !== undefined && onAir.date_pause !== null,
    kbpsMax: bitrateMax,
    isStopped: onAir !== undefined && onAir.held_until !== null,
  }
}

/** Returns the channels that are switched on, as many as the tariff allows. */
async function destinationsOf(
  services: Services,
  projectId: number,
  {
    channelMax,
    transcoders,
    allowed,
  }: {
    readonly channelMax: number
    readonly transcoders: readonly TranscoderRow[]
    /** Active transcoders that the plan allows. */
    readonly allowed: readonly TranscoderRow[]
  },
): Promise<DesiredDestination[]> {
  const all = await listAllChannels(services.db, projectId)
  const rows = all.filter(({ active }) => active === 1).slice(0, channelMax)
  const given = await targetAddresses(services, projectId, rows)
  const unreadable: number[] = []
  const destinations = rows.flatMap((row) => {
    const assigned = row.address === null ? given.get(row.id) : undefined
    const { address: text } = assigned ?? row
    const address = text === null ? null : readAddress(text, { allowPrivateDestinations: true })
    if (!address || 'fault' in address || address.protocol === 'srt') return []
    const secret = unsealSecret(services, (assigned ?? row).secret_sealed)
    if (!secret) {
      unreadable.push(row.id)
      return []
    }
    const { key, query } = secret
    const { protocol, host, port, path } = address
    const target = { protocol, host, port, app: query === '' ? path : `${path}?${query}`, key }
    const transcoder = transcoders.find(({ id }) => id === row.transcoder_id)
    // A transcoder that is stopped, or that the plan does not allow, sends nothing to its channels.
    if (transcoder && !allowed.includes(transcoder)) return []
    const delayMs = (row.delay_seconds + (transcoder?.delay_seconds ?? 0)) * 1000
    return [{ id: row.id, ...(transcoder && { transcoder: transcoder.id }), ...(delayMs > 0 && { delayMs }), target }]
  })
  await recordUnreadable(services, projectId, { unreadable, active: rows.map(({ id }) => id) })
  return destinations
}

/** Returns the destination states of a project's channels, by channel id; channels off air are left out. */
export async function statesOf(db: Db, projectId: number): Promise<ReadonlyMap<number, DestinationState>> {
  const onAir = await findOnAir(db, projectId)
  if (!onAir) return new Map()
  const restreams = await listRestreams(db, [onAir.id])
  return new Map(restreams.map((row) => [row.channel_id, factsOf(row).state]))
}

/** Pauses or resumes a broadcast. The relay follows within a second. @returns false if it is in that state already */
export async function setPaused(services: Services, { id }: BroadcastRow, isPaused: boolean): Promise<boolean> {
  const at = iso(services.clock.now())
  return await transaction(services.db, async (trx) => {
    if (!(await updatePause(trx, id, isPaused ? at : null))) return false
    await insertEvent(trx, id, at, { level: 'info', kind: isPaused ? 'paused' : 'resumed' })
    return true
  })
}

/**
 * Records a fact that a node reported: once, however often it arrives, and only while the node owns the project.
 * @param seq growing number of the fact on that node
 */
export async function handleEvent(services: Services, node: string, seq: number, fact: RelayEvent): Promise<void> {
  const { db } = services
  const change = await transaction(db, async (trx) => {
    if (!(await updateLastReport(trx, node, seq))) return null
    // A recording is a file on the node's disk, whichever node owns the project.
    if (fact.type !== 'recording' && !(await isOwners(trx, node, fact))) return null
    return recordFact(services, trx, node, fact)
  })
  if (change?.type === 'began') {
    wakeWaiting(db, fact.projectId)
    services.chat.wake()
  }
  if (change?.type === 'ended') endTargets(services, change.broadcastId)
}

/**
 * Handles the connection of a node: renews the leases of its projects on air, and ends its other broadcasts.
 * @returns `lost`: leases that another node took meanwhile; `back`: projects whose broadcast had ended without the node
 */
export async function greetNode<L extends Lease>(
  services: Services,
  node: string,
  leases: readonly L[],
): Promise<{ readonly lost: readonly L[]; readonly back: readonly number[] }> {
  const { lost, over, back } = await transaction(services.db, async (trx) => {
    await lockLeases(trx, node)
    const moved = await renewLeases(trx, node, leases)
    const own = leases.filter((lease) => !moved.includes(lease)).map(({ projectId }) => projectId)
    const open = await listOnAirOfNode(trx, node)
    const ended = open.filter(({ project_id }) => !own.includes(project_id))
    for (const row of ended)
      await recordEnd(services, trx, row, { at: iso(services.clock.now()), kind: 'abandoned', node })
    // The next claim raises the epoch, also a claim by the same node.
    await updateOthersFree(trx, node, own)
    return { lost: moved, over: ended, back: await reopenLost(services, trx, node, own) }
  })
  for (const { id } of over) endTargets(services, id)
  if (back.length > 0) services.chat.wake()
  return { lost, back }
}
