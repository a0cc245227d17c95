// What goes on air: who may publish, where it goes, and what relay nodes tell about it.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RateLimitedError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { type BroadcastRow, findOnAir, insertEvent, listRestreams, type RestreamRow } from './broadcasts-store.ts'
import { unsealSecret } from './channel-secrets.ts'
import { listAllChannels } from './channels-store.ts'
import { readAddress } from './destinations.ts'
import type { DestinationFacts, DestinationState, LiveFact } from './live-facts.ts'
import { limitsOf } from './plan-limits.ts'
import { findProjectByStreamKey, streamKeyOnAir } from './stream-keys.ts'
import { type TranscoderWish, wishOf } from './transcoders-live.ts'
import { listTranscoders } from './transcoders-store.ts'

const wrongKeysPerMinute = 30

/** A destination as the relay takes it. The key is a secret. */
export interface RelayTarget {
  /** Number of the channel. */
  readonly id: number
  /** Whose output it gets; left out: the stream as it comes. */
  readonly transcoder?: number
  readonly target: {
    readonly protocol: 'rtmp' | 'rtmps'
    readonly host: string
    readonly port: number
    readonly app: string
    readonly key: string
  }
}

/**
 * Whose key it is.
 * @returns the project, or what the encoder shall tell its user
 */
export async function admitEncoder(
  services: Services,
  { key, address }: { readonly key: string; readonly address: string },
): Promise<{ readonly projectId: number } | { readonly refuse: string }> {
  const found = await findProjectByStreamKey(services, key)
  if (found) return { projectId: found.projectId }
  try {
    services.limits.count(`stream-key ${address}`, wrongKeysPerMinute)
  } catch (error) {
    if (error instanceof RateLimitedError) return { refuse: 'Too many wrong keys. Wait a minute' }
    throw error
  }
  return { refuse: 'The stream key is not known. Copy it again from Stream setup' }
}

/** What the relay shall do for a project now. */
export async function wantedOf(
  services: Services,
  projectId: number,
): Promise<{
  readonly destinations: RelayTarget[]
  readonly transcoders: TranscoderWish[]
  readonly keyMark: string
  readonly waitMs: number
}> {
  const { channelMax, waitMaxMinutes } = await limitsOf(services, services.db, projectId)
  const { keyMark, waitMinutes } = await streamKeyOnAir(services.db, projectId)
  const destinations = await destinationsOf(services, projectId, channelMax)
  const rows = await listTranscoders(services.db, projectId)
  const isStopped = (id: number) => rows.some((row) => row.id === id && row.active === 0)
  return {
    // A transcoder that was stopped gives its channels nothing; one that gives to no channel need not run.
    destinations: destinations.filter(({ transcoder }) => transcoder === undefined || !isStopped(transcoder)),
    transcoders: rows
      .filter(({ id, active }) => active === 1 && destinations.some(({ transcoder }) => transcoder === id))
      .map(wishOf),
    keyMark,
    waitMs: Math.min(waitMinutes, waitMaxMinutes) * 60_000,
  }
}

/** The channels that are switched on, as many as the tariff allows. */
async function destinationsOf(services: Services, projectId: number, channelMax: number): Promise<RelayTarget[]> {
  const rows = await listAllChannels(services.db, projectId)
  return rows
    .filter((row) => row.active === 1)
    .slice(0, channelMax)
    .flatMap((row) => {
      const address = row.address === null ? null : readAddress(row.address, { allowPrivateDestinations: true })
      if (!address || 'fault' in address || address.protocol === 'srt') return []
      const { key, query } = unsealSecret(services, row.secret_sealed)
      const { protocol, host, port, path } = address
      const target = { protocol, host, port, app: query === '' ? path : `${path}?${query}`, key }
      return [{ id: row.id, ...(row.transcoder_id !== null && { transcoder: row.transcoder_id }), target }]
    })
}

const factsOf = (row: RestreamRow): DestinationFacts => JSON.parse(row.report) as DestinationFacts

/** How the channels of a project are on air, by their numbers; those that are not are not in it. */
export async function statesOf(db: Db, projectId: number): Promise<ReadonlyMap<number, DestinationState>> {
  const onAir = await findOnAir(db, projectId)
  if (!onAir) return new Map()
  const restreams = await listRestreams(db, [onAir.id])
  return new Map(restreams.map((row) => [row.channel_id, factsOf(row).state]))
}

/**
 * Takes what a node tells. Each thing once, however often it is told.
 * @param seq number of it on that node, growing
 */
export async function heed(services: Services, node: string, seq: number, fact: LiveFact): Promise<void> {
  await transaction(services.db, async (trx) => {
    if (await isNews(trx, node, seq)) await record(trx, node, fact)
  })
}

/** A node is back, and does not have on air what it had: that is over. */
export async function endAbandoned(services: Services, node: string, projects: readonly number[]): Promise<void> {
  await transaction(services.db, async (trx) => {
    const open = await trx
      .selectFrom('broadcasts')
      .selectAll()
      .where('node', '=', node)
      .where('date_end', 'is', null)
      .execute()
    for (const row of open)
      if (!projects.includes(row.project_id)) await end(trx, row, iso(services.clock.now()), 'abandoned')
  })
}

async function isNews(trx: Trx, name: string, seq: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('relay_nodes')
    .values({ name, seq })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seq }).where('relay_nodes.seq', '<', seq))
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

async function record(trx: Trx, node: string, fact: LiveFact): Promise<void> {
  const at = new Date(fact.at).toISOString()
  const onAir = await findOnAir(trx, fact.projectId)
  if (fact.type === 'source-began') return begin(trx, node, onAir, fact, at)
  if (!onAir) return
  if (fact.type === 'source-lost') {
    await trx.updateTable('broadcasts').set({ status: 'lost' }).where('id', '=', onAir.id).execute()
    await insertEvent(trx, onAir.id, at, { level: 'warning', kind: 'source-lost', reason: fact.how })
  } else if (fact.type === 'ended') {
    await end(trx, onAir, at, 'ended')
  } else if (fact.type === 'destination') {
    await recordDestination(trx, onAir, fact.report, at)
  } else {
    await recordSample(trx, onAir, fact)
  }
}

async function begin(
  trx: Trx,
  node: string,
  onAir: BroadcastRow | undefined,
  { projectId, encoder, address }: LiveFact & { type: 'source-began' },
  at: string,
): Promise<void> {
  if (onAir) {
    const values = { status: 'active' as const, node, encoder, address, reconnects: onAir.reconnects + 1 }
    await trx.updateTable('broadcasts').set(values).where('id', '=', onAir.id).execute()
    return insertEvent(trx, onAir.id, at, { level: 'info', kind: 'source-back' })
  }
  const { id } = await trx
    .insertInto('broadcasts')
    .values({
      project_id: projectId,
      node,
      status: 'active',
      encoder,
      address,
      reconnects: 0,
      sample: null,
      date_create: at,
      date_end: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertEvent(trx, id, at, { level: 'info', kind: 'began' })
}

async function end(trx: Trx, row: BroadcastRow, at: string, kind: 'ended' | 'abandoned'): Promise<void> {
  await trx.updateTable('broadcasts').set({ status: 'done', date_end: at }).where('id', '=', row.id).execute()
  await insertEvent(trx, row.id, at, { level: 'info', kind })
}

/** What people are told of, by the state that a destination comes into. */
const tellings: Readonly<Partial<Record<DestinationFacts['state'], 'info' | 'warning' | 'error'>>> = {
  live: 'info',
  degraded: 'warning',
  backoff: 'warning',
  rejected: 'error',
  stopped: 'info',
}

async function recordDestination(trx: Trx, onAir: BroadcastRow, facts: DestinationFacts, at: string): Promise<void> {
  const report = JSON.stringify(facts)
  const known = (await listRestreams(trx, [onAir.id])).find((row) => row.channel_id === facts.id)
  const isLive = facts.state === 'live'
  if (known) {
    const date_live = known.date_live ?? (isLive ? at : null)
    await trx.updateTable('restreams').set({ report, date_live }).where('id', '=', known.id).execute()
  } else {
    const channel = await trx
      .selectFrom('channels')
      .select(['name', 'type'])
      .where('id', '=', facts.id)
      .executeTakeFirst()
    if (!channel) return
    await trx
      .insertInto('restreams')
      .values({
        broadcast_id: onAir.id,
        channel_id: facts.id,
        ...channel,
        report,
        date_create: at,
        date_live: isLive ? at : null,
      })
      .execute()
  }
  const level = tellings[facts.state]
  // One trouble is told once, however often it is tried again.
  const again = known && facts.state === 'backoff' && factsOf(known).reason === facts.reason && facts.attempt > 1
  if (level === undefined || again) return
  const { reason, words } = facts
  await insertEvent(trx, onAir.id, at, { level, kind: facts.state, channel_id: facts.id, reason, words })
}

async function recordSample(trx: Trx, onAir: BroadcastRow, fact: LiveFact & { type: 'sample' }): Promise<void> {
  const { ingest, destinations, transcoders } = fact
  const sample = JSON.stringify({ at: fact.at, ingest, destinations, transcoders })
  await trx.updateTable('broadcasts').set({ sample }).where('id', '=', onAir.id).execute()
  const { kbps, fps } = ingest
  await trx
    .insertInto('broadcast_samples')
    .values({ broadcast_id: onAir.id, step: 1, at: Math.floor(fact.at / 1000), kbps, fps })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
