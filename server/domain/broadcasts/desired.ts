// Desired state of the relay for a project: reads it, and what has to be done for it.
import { lineNames } from '#contract/entities/plan.ts'
import { factsOf as platformFacts, isOneOf, platformTypes } from '#contract/platforms/platforms.ts'
import type { DesiredDestination, DesiredState, InputNeeds, Target } from '#contract/relay/desired-state.ts'
import { type NodeFeature, nodeFeatures } from '#contract/relay/protocol.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { hasSilence, tracksOf } from '#server/domain/channels/change.ts'
import { type Destination, readAddress } from '#server/domain/channels/destinations.ts'
import { type ChannelSecret, unsealSecret } from '#server/domain/channels/secrets.ts'
import { readSrtQuery } from '#server/domain/channels/srt-address.ts'
import { type ChannelRow, listAllChannels } from '#server/domain/channels/store.ts'
import { machineOf } from '#server/domain/ingest/nodes-store.ts'
import { listPullKeyIds } from '#server/domain/ingest/pull-keys-store.ts'
import { slatesOf } from '#server/domain/media/files.ts'
import { streamKeyOnAir } from '#server/domain/ingest/stream-keys.ts'
import { allowedOf } from '#server/domain/ingest/transcoder-limits.ts'
import { listTranscoders, type TranscoderRow } from '#server/domain/ingest/transcoders-store.ts'
import { findSuspension } from '#server/domain/projects/store.ts'
import { allowancesOf, storageGbIn } from '#server/domain/tariffs/allowances.ts'
import { limitsIn } from '#server/domain/tariffs/plan-limits.ts'
import { getPlan } from '#server/domain/tariffs/store.ts'
import { dropTarget, readTargets, scheduleTargets, type TargetAddress } from './live-targets.ts'
import { channelsBeforeAir, playOf } from './plays.ts'
import { desiredRecordingOf } from './recordings.ts'
import { type BroadcastRow, findOnAir, listRestreams } from './store.ts'
import { desiredTranscoderOf } from './transcoders-live.ts'
import { iso } from '#server/core/clock.ts'
import { lockOwner } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { type DestinationFacts, isUnsent, type UnsentReason, untouched } from './live-facts.ts'
import { factsOf, recordDestination } from './records.ts'
import { commonNeeds } from './verdict.ts'

// Channels on air that no node gets, because their stream key or address cannot be read, or the node cannot send by SRT. They name the
// reason.

interface Unsent {
  /** Active channels that are not sent, with the reason. */
  readonly unsent: ReadonlyMap<number, UnsentReason>
  /** Ids of all active channels. */
  readonly active: readonly number[]
}

/**
 * Records channels of a project on air that are not sent as rejected, once. A channel that can be sent again is idle, until the relay
 * starts it, and one that was switched off is stopped.
 */
export async function recordUnsent(
  { db, clock, log }: Services,
  onAir: BroadcastRow,
  { unsent, active }: Unsent,
): Promise<void> {
  const recorded = await transaction(db, async (trx) => {
    // Events of the node lock it too: the states that are read here stay until they are written.
    await lockOwner(trx, 'air', onAir.project_id)
    const noted = new Map(
      (await listRestreams(trx, [onAir.id]))
        .map((row) => [row.channel_id, factsOf(row)] as const)
        .filter(([, { state, reason }]) => state === 'rejected' && isUnsent(reason)),
    )
    const now = clock.now()
    const note = (id: number, facts: Pick<DestinationFacts, 'state' | 'reason'>) =>
      recordDestination({ clock }, trx, onAir, { ...untouched, id, since: now.getTime(), ...facts }, { at: iso(now) })
    const fresh = [...unsent].filter(([id, reason]) => noted.get(id)?.reason !== reason)
    for (const [id, reason] of fresh) await note(id, { state: 'rejected', reason })
    for (const id of noted.keys())
      if (!unsent.has(id)) await note(id, { state: active.includes(id) ? 'idle' : 'stopped', reason: null })
    return fresh
  })
  for (const [id, reason] of recorded)
    if (reason === 'key-unreadable')
      log.error(
        { channel: id, failure: 'KeyUnreadable' },
        'A channel is skipped: SECRET has changed since its key was saved',
      )
}

/** Work that follows from the state of a project on air. Repeating it is harmless. */
export interface Effects {
  readonly onAir: BroadcastRow
  /** Channels that need an address of their platform, and those that no longer do. */
  readonly missing: readonly number[]
  readonly unwanted: readonly number[]
  /** Active channels, and those of them that are not sent. */
  readonly active: readonly number[]
  readonly unsent: ReadonlyMap<number, UnsentReason>
}

/** Desired state of a project, and the work that follows from it. */
export interface Desired {
  readonly state: Required<Omit<DesiredState, 'record' | 'quality'>> & Pick<DesiredState, 'record' | 'quality'>
  /** Changes when the stream key is replaced. */
  readonly keyMark: string
  /** A user has stopped the broadcast, or the project is suspended. */
  readonly isStopped: boolean
  /** Null while the project is not on air. */
  readonly effects: Effects | null
}

/**
 * Reads the desired state of a project. It depends on the columns of `server/db/marks.ts`, and writes nothing.
 * @param features of the node that has the project; default: those of this release
 */
export async function readDesired(
  services: Reading<Services>,
  projectId: number,
  features: ReadonlySet<string> = new Set(nodeFeatures),
): Promise<Desired> {
  const { db } = services
  const { restream, transcoding, storage } = await allowancesOf(services, db, projectId, lineNames)
  const plan = await getPlan(db, restream.planId)
  const { channels, bitrateMax, waitMaxMinutes } = limitsIn(plan, restream)
  const { keyMark, waitMinutes, holdMinutes, isRecorded, quality } = await streamKeyOnAir(db, projectId)
  const onAir = await findOnAir(db, projectId)
  const transcoders = await listTranscoders(db, projectId)
  const allowed = allowedOf(transcoders, transcoding)
  const wanted = onAir ? (playOf(onAir)?.channels ?? []) : await channelsBeforeAir(db, projectId)
  const rows = (await listAllChannels(db, projectId))
    .filter(({ id, active }) => active === 1 && (wanted.length === 0 || wanted.includes(id)))
    .slice(0, channels)
  const targets = onAir && (await readTargets(db, onAir.id, rows))
  const found = rows.map((row) =>
    destinationOf(services, row, { assigned: targets?.addresses.get(row.id), transcoders, allowed, features }),
  )
  const destinations = found.flatMap((one) => (typeof one === 'string' || one === null ? [] : [one]))
  const gigabytes = storageGbIn(plan, storage, services.config)
  return {
    state: {
      destinations,
      // A transcoder without channels need not run.
      transcoders: transcoders
        .filter(({ id }) => destinations.some(({ transcoder }) => transcoder === id))
        .map(desiredTranscoderOf),
      pullKeys: await listPullKeyIds(db, projectId),
      ...(isRecorded &&
        (await desiredRecordingOf(services, projectId, {
          gigabytes,
          machine: onAir && (await machineOf(db, onAir.node)),
        }))),
      waitMs: Math.min(waitMinutes, waitMaxMinutes) * 60_000,
      holdMs: Math.min(holdMinutes, waitMaxMinutes) * 60_000,
      slates: await slatesOf(db, projectId, features),
      ...(quality && { quality }),
      paused: onAir !== undefined && onAir.date_pause !== null,
      kbpsMax: bitrateMax,
      needs: needsOf(rows.map(({ type }) => type)),
    },
    keyMark,
    isStopped: onAir !== undefined && (onAir.held_until !== null || (await findSuspension(db, projectId)) !== null),
    effects:
      onAir && targets
        ? {
            onAir,
            missing: targets.missing,
            unwanted: targets.unwanted,
            active: rows.map(({ id }) => id),
            unsent: new Map(
              rows.flatMap(({ id }, at) => {
                const one = found[at]
                return typeof one === 'string' ? [[id, one] as const] : []
              }),
            ),
          }
        : null,
  }
}

/** Returns what the platforms of the channels need of the incoming stream: the strictest of each. */
function needsOf(types: readonly string[]): InputNeeds {
  const all = types.flatMap((type) => (isOneOf(platformTypes, type) ? (platformFacts(type).needs ?? []) : []))
  return {
    gopMs: Math.min(commonNeeds.gopMs, ...all.map(({ gopMs = commonNeeds.gopMs }) => gopMs)),
    audioKbps: Math.max(commonNeeds.audioKbps, ...all.map(({ audioKbps = 0 }) => audioKbps)),
  }
}

interface Surroundings {
  /** Address that the platform assigned to the broadcast. */
  readonly assigned: TargetAddress | undefined
  readonly transcoders: readonly TranscoderRow[]
  /** Active transcoders that the plan allows. */
  readonly allowed: readonly TranscoderRow[]
  /** Features of the node. */
  readonly features: ReadonlySet<string>
}

/** Returns the destination of a channel; null without a usable address; or why it is not sent. */
function destinationOf(
  services: Reading<Services>,
  row: ChannelRow,
  { assigned, transcoders, allowed, features }: Surroundings,
): DesiredDestination | UnsentReason | null {
  const { address: text, secret_sealed } = (row.address === null ? assigned : undefined) ?? row
  const address = text === null ? null : readAddress(text, { allowPrivateDestinations: true })
  if (!address || 'fault' in address) return null
  const secret = unsealSecret(services, secret_sealed)
  if (!secret) return 'key-unreadable'
  const target = targetOf(address, secret, features)
  if (typeof target === 'string') return target
  const transcoder = transcoders.find(({ id }) => id === row.transcoder_id)
  // A transcoder that is stopped, or that the plan does not allow, sends nothing to its channels.
  if (transcoder && !allowed.includes(transcoder)) return null
  const delayMs = (row.delay_seconds + (transcoder?.delay_seconds ?? 0)) * 1000
  // Transcoders have the main tracks.
  const tracks = transcoder || row.tracks === null ? null : tracksOf(row)
  return {
    id: row.id,
    ...(transcoder && { transcoder: transcoder.id }),
    ...(delayMs > 0 && { delayMs }),
    ...(tracks && { tracks }),
    ...(hasSilence(row) && { silence: true }),
    ...(row.ladder !== null && { ladder: row.ladder }),
    target,
  }
}

/** Returns what a node connects to. A node that cannot parse an SRT target would drop the whole message. */
function targetOf(
  { protocol, host, port, path }: Destination,
  { key, query }: ChannelSecret,
  features: ReadonlySet<string>,
): Target | UnsentReason {
  if (protocol !== 'srt') return { protocol, host, port, app: query === '' ? path : `${path}?${query}`, key }
  if (!features.has('srt-out' satisfies NodeFeature)) return 'old-server'
  const parameters = readSrtQuery(query)
  return 'fault' in parameters ? 'address-invalid' : { protocol, host, port, ...parameters }
}

/** Does the work that follows from the state of a project on air. */
export async function applyEffects(services: Services, effects: Effects): Promise<void> {
  const { onAir, missing, unwanted, active, unsent } = effects
  if (missing.length > 0) await scheduleTargets(services, onAir.id, missing)
  for (const id of unwanted) await dropTarget(services, onAir, id)
  await recordUnsent(services, onAir, { unsent, active })
}
