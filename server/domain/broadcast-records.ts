// What is noted of a broadcast while it runs: its beginning and end, its channels, and a sample each second.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { type BroadcastRow, findOnAir, insertEvent, listRestreams, type RestreamRow } from './broadcasts-store.ts'
import { recordHistory } from './history.ts'
import { recordRecording } from './recordings.ts'
import type { DestinationFacts, LiveFact } from './live-facts.ts'

/** The last that is known of a destination. */
export const factsOf = (row: RestreamRow): DestinationFacts => JSON.parse(row.report) as DestinationFacts

/** What a fact changed beyond itself. */
export type Change = { readonly type: 'began' | 'ended'; readonly broadcastId: number }

/** Notes a fact that a node told. */
export async function recordFact(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  node: string,
  fact: LiveFact,
): Promise<Change | null> {
  const at = new Date(fact.at).toISOString()
  const onAir = await findOnAir(trx, fact.projectId)
  if (fact.type === 'source-began') return begin(services, trx, onAir, { ...fact, at, node })
  if (fact.type === 'recording') {
    await recordRecording(trx, node, fact)
    return null
  }
  if (!onAir) return null
  if (fact.type === 'source-lost') {
    await trx.updateTable('broadcasts').set({ status: 'lost' }).where('id', '=', onAir.id).execute()
    await insertEvent(trx, onAir.id, at, { level: 'warning', kind: 'source-lost', reason: fact.how, node })
  } else if (fact.type === 'ended') {
    await recordEnd(services, trx, onAir, { at, kind: 'ended', node })
    return { type: 'ended', broadcastId: onAir.id }
  } else if (fact.type === 'destination') {
    await recordDestination(trx, onAir, fact.report, { at, node })
  } else if (fact.type === 'bitrate') {
    await recordBitrate(trx, onAir, fact, { at, node })
  } else {
    await recordSample(trx, onAir, fact)
  }
  return null
}

interface Beginning {
  readonly projectId: number
  readonly encoder: string
  readonly address: string
  readonly at: string
  readonly node: string
}

async function begin(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow | undefined,
  { projectId, encoder, address, at, node }: Beginning,
): Promise<Change | null> {
  if (onAir) {
    const values = { status: 'active' as const, node, encoder, address, reconnects: onAir.reconnects + 1 }
    await trx.updateTable('broadcasts').set(values).where('id', '=', onAir.id).execute()
    await insertEvent(trx, onAir.id, at, { level: 'info', kind: 'source-back', node })
    return null
  }
  const row = { project_id: projectId, node, encoder, address, date_create: at }
  const { id } = await trx
    .insertInto('broadcasts')
    .values({ ...row, status: 'active', reconnects: 0, sample: null, date_end: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertEvent(trx, id, at, { level: 'info', kind: 'began', node })
  const entry = { projectId, userId: null, action: 'broadcast_began', details: { broadcast_id: id } } as const
  await recordHistory(services, trx, entry)
  return { type: 'began', broadcastId: id }
}

/** Notes that a broadcast is over. */
export async function recordEnd(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { id, project_id, stopped_by }: BroadcastRow,
  { at, kind, node }: { readonly at: string; readonly kind: 'ended' | 'abandoned'; readonly node: string },
): Promise<void> {
  await trx.updateTable('broadcasts').set({ status: 'done', date_end: at }).where('id', '=', id).execute()
  const reason = stopped_by === null ? null : 'person'
  await insertEvent(trx, id, at, { level: 'info', kind, reason, node })
  const entry = {
    projectId: project_id,
    userId: stopped_by,
    action: 'broadcast_ended',
    details: { broadcast_id: id },
  } as const
  await recordHistory(services, trx, entry)
}

/** The numbers stand in `words`: what came in, and what the tariff allows. */
async function recordBitrate(
  trx: Trx,
  onAir: BroadcastRow,
  { state, kbps, kbpsMax }: LiveFact & { type: 'bitrate' },
  { at, node }: { readonly at: string; readonly node: string },
): Promise<void> {
  if (state === 'fine') return
  const level = state === 'high' ? 'warning' : 'error'
  const words = `${Math.round(kbps)} > ${kbpsMax} kbps`
  await insertEvent(trx, onAir.id, at, { level, kind: `bitrate-${state}`, reason: 'bitrate', words, node })
}

/** What people are told of, by the state that a destination comes into. */
const tellings: Readonly<Partial<Record<DestinationFacts['state'], 'info' | 'warning' | 'error'>>> = {
  live: 'info',
  degraded: 'warning',
  backoff: 'warning',
  rejected: 'error',
  stopped: 'info',
}

/** Notes how a destination is. @param where `node`: who told it; left out: the service itself */
export async function recordDestination(
  trx: Trx,
  onAir: BroadcastRow,
  facts: DestinationFacts,
  { at, node }: { readonly at: string; readonly node?: string },
): Promise<void> {
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
  const { id: channel_id, reason, words, lacks } = facts
  const before = known && factsOf(known)
  const from = node === undefined ? {} : { node }
  if (lacks && lacks !== before?.lacks) {
    const event = { level: 'warning', kind: 'codec', reason: 'codec', words: lacks } as const
    await insertEvent(trx, onAir.id, at, { ...event, channel_id, ...from })
  }
  const level = tellings[facts.state]
  // Something about the connection that stands became known.
  if (before?.state === facts.state && before.since === facts.since) return
  if (level === undefined || isToldAlready(before, facts)) return
  await insertEvent(trx, onAir.id, at, { level, kind: facts.state, channel_id, reason, words, ...from })
}

/** One trouble is told once, however often it is tried again; a platform that says no in other words says something new. */
function isToldAlready(
  before: DestinationFacts | undefined,
  { state, attempt, reason, words }: DestinationFacts,
): boolean {
  if (!before || attempt <= 1 || before.reason !== reason) return false
  return state === 'backoff' || (state === 'rejected' && before.words === words)
}

async function recordSample(trx: Trx, onAir: BroadcastRow, fact: LiveFact & { type: 'sample' }): Promise<void> {
  const { ingest, bitrate, destinations, transcoders, pulls } = fact
  const sample = JSON.stringify({ at: fact.at, ingest, bitrate, destinations, transcoders, pulls })
  await trx.updateTable('broadcasts').set({ sample }).where('id', '=', onAir.id).execute()
  const { kbps, fps } = ingest
  await trx
    .insertInto('broadcast_samples')
    .values({ broadcast_id: onAir.id, step: 1, at: Math.floor(fact.at / 1000), kbps, fps })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
