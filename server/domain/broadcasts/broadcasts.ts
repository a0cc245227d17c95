// Broadcasts on air: admission of encoders, and events that nodes report.
import { findSuspension } from '#server/domain/projects/store.ts'
import type { Lease } from '#contract/relay/from-node.ts'
import type { DestinationState } from '#contract/relay/reports.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { isOverGuesses, isOverLimit, networkOf } from '#server/core/limits.ts'
import type { ReadDb } from '#server/db/open.ts'
import { findOwner, lockOwned, releaseOthers } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { type Claim, claimAir, claimForFact, renewLeases } from './air-leases.ts'
import { recordEncoderRefusal } from './encoder-refusals.ts'
import { factsOf, recordEnd, recordFact } from './records.ts'
import { insertEvent } from './events-store.ts'
import {
  type BroadcastRow,
  findOnAir,
  listLost,
  listOnAirOfNode,
  listRestreams,
  updateLastReport,
  updatePause,
} from './store.ts'
import { findStopped } from './stops.ts'
import { anotherEncoder } from './live-facts.ts'
import { reopenLost } from './lost-nodes.ts'
import { machineOf } from '#server/domain/ingest/nodes-store.ts'
import { nodeOnAir } from '#server/domain/ingest/servers.ts'
import { findProjectByReplacedKey, findProjectByStreamKey } from '#server/domain/ingest/stream-keys.ts'

const wrongKeysPerMinute = 30
/** Limit for an encoder that connects and disconnects in a loop: it would fill the history. */
const broadcastsPerMinute = 10

/** Admission of an encoder that may publish. */
export type EncoderAdmission =
  /** A user stopped its broadcast: the node keeps the encoder connected and sends nothing to destinations. */
  | { readonly projectId: number; readonly isStopped: true }
  | ({ readonly projectId: number; readonly isStopped: false } & Claim)

/** An encoder that may not publish. `conflict`: another encoder sends. `overload`: its node is full. */
export interface EncoderRefusal {
  /** Message for the user of the encoder. */
  readonly refuse: string
  readonly reason?: 'conflict' | 'overload'
}

/**
 * Finds the project of a stream key, and makes the node its owner.
 * @param encoder `node`: the relay node that the encoder is connected to; `isFull`: it accepts no new projects; `isBackup`: a backup
 * encoder, which does not move a broadcast to another node
 */
export async function admitEncoder(
  services: Services,
  {
    key,
    address,
    node,
    isFull = false,
    isBackup = false,
  }: {
    readonly key: string
    readonly address: string
    readonly node: string
    readonly isFull?: boolean | undefined
    readonly isBackup?: boolean | undefined
  },
): Promise<EncoderAdmission | EncoderRefusal> {
  const found = await findProjectByStreamKey(services, key)
  if (!found) {
    const isMany = isOverGuesses(services.limits, `stream-key ${networkOf(address)}`, wrongKeysPerMinute)
    if (isMany) return { refuse: 'Too many wrong keys. Wait a minute' }
    const owner = await findProjectByReplacedKey(services, key)
    if (owner !== null) await recordEncoderRefusal(services, { projectId: owner, address, reason: 'replaced_key' })
    return { refuse: 'The stream key is not known. Copy it again from Stream setup' }
  }
  const { projectId } = found
  if (await findSuspension(services.db, projectId)) {
    await recordEncoderRefusal(services, { projectId, address, reason: 'suspended' })
    return { refuse: 'The project is suspended. The dashboard says why' }
  }
  if (await findStopped(services, projectId)) return { projectId, isStopped: true }
  const onAir = await findOnAir(services.db, projectId)
  if (!onAir && isOverLimit(services.limits, `broadcasts ${projectId}`, broadcastsPerMinute)) {
    await recordEncoderRefusal(services, { projectId, address, reason: 'too_many_broadcasts' })
    return { refuse: 'Too many broadcasts began. Wait a minute, then start again' }
  }
  if (isFull && onAir?.node !== node) {
    await recordEncoderRefusal(services, { projectId, address, reason: 'server_full' })
    return {
      refuse: 'This server accepts no new broadcasts now. Choose another one in Stream setup, or try again later',
      reason: 'overload',
    }
  }
  const claim = await claimAir(services.db, projectId, node, { keepsOwner: isBackup })
  if (claim) return { projectId, isStopped: false, ...claim }
  if (isBackup) return { refuse: await otherServer(services.db, projectId, node), reason: 'conflict' }
  await recordEncoderRefusal(services, { projectId, address, reason: 'another_encoder' })
  return { refuse: anotherEncoder, reason: 'conflict' }
}

/** Returns the refusal of a backup encoder at a node that does not own the project. */
async function otherServer(db: ReadDb, projectId: number, node: string): Promise<string> {
  const owner = (await findOwner(db, 'air', projectId))?.holder ?? ''
  if ((await machineOf(db, owner)) === (await machineOf(db, node)))
    return 'Another process of this server has the main encoder. Connect the backup encoder again'
  const at = await nodeOnAir(db, { node: owner })
  return `The main encoder is on the server ${at ? `${at.city} (${at.host})` : owner}. Connect the backup encoder there too`
}

/** Returns the destination states of a project's channels, by channel id; channels off air are left out. */
export async function statesOf(db: ReadDb, projectId: number): Promise<ReadonlyMap<number, DestinationState>> {
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
 * @param seq growing number of the fact on that node; null: of a sample, whose repetition changes nothing
 * @param machine of the node, whose disk has the recordings
 */
export async function handleEvent(
  services: Services,
  node: string,
  seq: number | null,
  fact: RelayEvent,
  machine = node,
): Promise<void> {
  const { db } = services
  const change = await transaction(db, async (trx) => {
    if (seq !== null && !(await updateLastReport(trx, node, seq))) return null
    // A recording is a file on the disk of the machine, whichever node owns the project.
    if (fact.type !== 'recording' && !(await claimForFact(trx, node, fact))) return null
    return recordFact(services, trx, { node, machine }, fact)
  })
  if (change?.type === 'began') services.chat.wake()
}

/** Returns the projects whose broadcast a greeting of the node ends or continues (`greetNode`). */
export async function listGreetingChanges(db: ReadDb, node: string, leases: readonly Lease[]): Promise<number[]> {
  const here = new Set(leases.map(({ projectId }) => projectId))
  const ending = (await listOnAirOfNode(db, node)).filter(({ project_id }) => !here.has(project_id))
  return [...ending, ...(await listLost(db, node, [...here]))].map(({ project_id }) => project_id)
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
  const { lost, back } = await transaction(services.db, async (trx) => {
    await lockOwned(trx, 'air', node)
    const moved = await renewLeases(trx, node, leases)
    const own = leases.filter((lease) => !moved.includes(lease)).map(({ projectId }) => projectId)
    const open = await listOnAirOfNode(trx, node)
    const ended = open.filter(({ project_id }) => !own.includes(project_id))
    for (const row of ended)
      await recordEnd(services, trx, row, { at: iso(services.clock.now()), kind: 'abandoned', node })
    // The next claim raises the epoch, also a claim by the same node.
    await releaseOthers(trx, 'air', node, own)
    return { lost: moved, back: await reopenLost(services, trx, node, own) }
  })
  if (back.length > 0) services.chat.wake()
  return { lost, back }
}
