// Records of a broadcast while it runs: its beginning and end, its channels, and a sample each second.
import type { RelayEvent, SampleEvent, StoredSample } from '#contract/relay/events.ts'
import type { Services } from '#server/core/context.ts'
import { inputFaults } from '#contract/entities/on-air.ts'
import { isOneOf } from '#contract/platforms/platforms.ts'
import { scheduleHeldEnds } from '#server/domain/tariffs/plan-ends.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { recordChannelEvent } from './events.ts'
import { scheduleTitle, scheduleTitles } from './titles.ts'
import { findLastSourceLoss, insertEvent } from './events-store.ts'
import { listTargets, targetEndKind } from './live-targets-store.ts'
import {
  type BroadcastRow,
  findOnAir,
  insertBroadcast,
  insertRestream,
  listRestreams,
  type RestreamRow,
  updateBroadcast,
  updateRestream,
} from './store.ts'
import { insertSample } from './samples-store.ts'
import { playFor, playOf } from './plays.ts'
import { wakeRuns } from './runs.ts'
import { findChannelName, updateTestResult } from '#server/domain/channels/store.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { recordRecording } from './recordings.ts'
import { type DestinationFacts, isOfService, isUnsent } from './live-facts.ts'
import { levelOf } from './verdict.ts'
import {
  noticeBack,
  noticeBegan,
  noticeBitrate,
  noticeBitrateFine,
  noticeChannel,
  noticeCodec,
  noticeEnded,
  noticeLost,
  noticeFault,
} from './notices.ts'

/** Returns the last stored report of a destination. */
export const factsOf = (row: Pick<RestreamRow, 'report'>): DestinationFacts =>
  JSON.parse(row.report) as DestinationFacts

/** Returns the sample of the last second of a broadcast; null before the first one. */
export const sampleOf = ({ sample }: Pick<BroadcastRow, 'sample'>): StoredSample | null =>
  sample === null ? null : (JSON.parse(sample) as StoredSample)

/** Returns the text of a sample that `sampleOf` reads. */
export const storedOf = ({ at, ingest, bitrate, destinations, transcoders, pulls }: SampleEvent): string =>
  JSON.stringify({ at, ingest, bitrate, destinations, transcoders, pulls })

/** Returns a broadcast with its last second, where the node is connected to this replica; elsewhere with the last stored one. */
export function withNewestSample({ relay }: Pick<Services, 'relay'>, row: BroadcastRow): BroadcastRow {
  const sample = row.date_end === null ? relay.newestSample(row.project_id) : null
  return sample === null ? row : { ...row, sample }
}

/**
 * Returns the reader of a broadcast's destination reports. Nodes report states immediately and counters each second: the
 * newer of the two has the current state.
 */
export function latestFactsOf(row: Pick<BroadcastRow, 'sample'>): (restream: RestreamRow) => DestinationFacts {
  const sampled = new Map(sampleOf(row)?.destinations.map((facts) => [facts.id, facts]))
  return (restream) => {
    const [reported, latest] = [factsOf(restream), sampled.get(restream.channel_id)]
    return latest && latest.since >= reported.since ? latest : reported
  }
}

/** A beginning or an end that follows from a fact. */
export type Change = { readonly type: 'began' | 'ended'; readonly broadcastId: number }

/** Records a fact that a node of a machine reported. */
export async function recordFact(
  services: Pick<Services, 'clock' | 'config'>,
  trx: Trx,
  { node, machine }: { readonly node: string; readonly machine: string },
  fact: RelayEvent,
): Promise<Change | null> {
  const at = new Date(fact.at).toISOString()
  const onAir = await findOnAir(trx, fact.projectId)
  if (fact.type === 'source-began') return begin(services, trx, onAir, { ...fact, at, node })
  if (fact.type === 'recording') {
    await recordRecording(services, trx, { node, machine }, fact)
    return null
  }
  if (!onAir) return null
  if (fact.type === 'source-lost') {
    await updateBroadcast(trx, onAir.id, { status: 'lost' })
    await insertEvent(trx, onAir.id, at, { level: 'warning', kind: 'source-lost', reason: fact.how, node })
    await noticeLost(services, trx, onAir, fact.how)
    await wakeRuns(trx, fact.projectId)
  } else if (fact.type === 'ended') {
    await recordEnd(services, trx, onAir, { at, kind: 'ended', node })
    return { type: 'ended', broadcastId: onAir.id }
  } else if (fact.type === 'destination') {
    // The node stops a destination that the service has rejected: its report must not replace the reason.
    const isStop = fact.report.state === 'stopped'
    if (isStop && (await isServiceReported(trx, onAir, fact.report.id))) return null
    await recordDestination(services, trx, onAir, fact.report, { at, node })
  } else if (fact.type === 'fault') {
    await recordFault(services, trx, onAir, fact, { at, node })
  } else if (fact.type === 'bitrate') {
    await recordBitrate(services, trx, onAir, fact, { at, node })
  } else {
    await recordSample(services, trx, onAir, fact)
  }
  return null
}

/** Returns whether the last report of a destination is of the service itself. */
async function isServiceReported(trx: Trx, { id }: BroadcastRow, channelId: number): Promise<boolean> {
  const known = (await listRestreams(trx, [id])).find(({ channel_id }) => channel_id === channelId)
  return known !== undefined && isOfService(factsOf(known))
}

interface Beginning {
  readonly projectId: number
  readonly encoder: string
  readonly address: string
  readonly at: string
  readonly node: string
  /** Run of the scheduled files; without it: an encoder. */
  readonly play?: number | undefined
  /** Whether the encoder is the backup one. */
  readonly isBackup?: boolean | undefined
}

async function begin(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow | undefined,
  { projectId, encoder, address, at, node, play: run, isBackup = false }: Beginning,
): Promise<Change | null> {
  const play = await playFor(trx, projectId, run)
  // A run follows the encoder to its node.
  await wakeRuns(trx, projectId)
  if (onAir && (run !== undefined || playOf(onAir))) {
    await exchange(services, trx, onAir, { encoder, address, at, node, play, isBackup })
    return null
  }
  if (onAir) {
    const away_ms = await awayMsOf(trx, onAir, at)
    const values = { status: 'active' as const, node, encoder, address, reconnects: onAir.reconnects + 1, away_ms }
    await updateBroadcast(trx, onAir.id, values)
    await insertEvent(trx, onAir.id, at, { level: 'info', kind: isBackup ? 'backup-on' : 'source-back', node })
    await noticeBack(services, trx, onAir)
    return null
  }
  const id = await insertBroadcast(trx, { project_id: projectId, node, encoder, address, date_create: at, play })
  await insertEvent(trx, id, at, { level: 'info', kind: 'began', node })
  const entry = { projectId, userId: null, action: 'broadcast_began', details: { broadcast_id: id } } as const
  await recordHistory(services, trx, entry)
  await noticeBegan(services, trx, projectId, id)
  return { type: 'began', broadcastId: id }
}

/** Scheduled files take the air, or an encoder takes it from them. */
async function exchange(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow,
  {
    encoder,
    address,
    at,
    node,
    play,
    isBackup,
  }: Omit<Beginning, 'projectId' | 'play'> & { readonly play: string | null },
): Promise<void> {
  const away_ms = await awayMsOf(trx, onAir, at)
  // An encoder had the air before the files.
  const isBack = play === null && onAir.address !== ''
  const source = play === null ? { encoder, address, reconnects: onAir.reconnects + (isBack ? 1 : 0) } : {}
  await updateBroadcast(trx, onAir.id, { status: 'active', node, away_ms, play, ...source })
  await scheduleTitles(trx, { play })
  const encoderKind = isBackup ? 'backup-on' : isBack ? 'source-back' : 'encoder-on'
  const kind = play === null ? encoderKind : 'play-on'
  await insertEvent(trx, onAir.id, at, { level: 'info', kind, words: play && (playOf({ play })?.name ?? null), node })
  await noticeBack(services, trx, onAir)
}

/** Returns the time without an encoder until the absence ends at `at`, milliseconds. */
async function awayMsOf(trx: Trx, { id, status, away_ms }: BroadcastRow, at: string): Promise<number> {
  const loss = status === 'lost' ? await findLastSourceLoss(trx, id) : undefined
  return loss === undefined ? away_ms : away_ms + Math.max(0, Date.parse(at) - Date.parse(loss.date_create))
}

/** Ends a broadcast and its open restreams. @param where `abandoned`: its node failed */
export async function recordEnd(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  row: BroadcastRow,
  { at, kind, node }: { readonly at: string; readonly kind: 'ended' | 'abandoned'; readonly node: string },
): Promise<void> {
  const { id, project_id, stopped_by } = row
  await stopRestreams(services, trx, row, { at, node })
  // An encoder that ended the stream itself does not reconnect by itself: a stop need not keep it off air.
  const isHeld =
    playOf(row) !== null || (row.status === 'lost' && (await findLastSourceLoss(trx, id))?.reason === 'unpublish')
  const away_ms = await awayMsOf(trx, row, at)
  await updateBroadcast(trx, id, { status: 'done', date_end: at, away_ms, ...(isHeld && { held_until: null }) })
  // A run that is not over begins again.
  await wakeRuns(trx, project_id)
  await scheduleHeldEnds(trx, project_id, at)
  if ((await listTargets(trx, [id])).length > 0) await scheduleJob(trx, targetEndKind, id)
  const reason = stopped_by === null ? null : 'person'
  await insertEvent(trx, id, at, { level: kind === 'abandoned' ? 'error' : 'info', kind, reason, node })
  const entry = {
    projectId: project_id,
    userId: stopped_by,
    action: 'broadcast_ended',
    details: { broadcast_id: id },
  } as const
  await recordHistory(services, trx, entry)
  await noticeEnded(services, trx, row)
}

/** Stops restreams that the node did not stop: it failed, or the service itself reported the destination. */
async function stopRestreams(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  row: BroadcastRow,
  { at, node }: { readonly at: string; readonly node: string },
): Promise<void> {
  const latestFacts = latestFactsOf(row)
  for (const restream of await listRestreams(trx, [row.id])) {
    const facts = latestFacts(restream)
    if (facts.state === 'stopped') continue
    const over = { state: 'stopped', since: Date.parse(at), reason: null, words: null, nextRetry: null } as const
    await recordDestination(services, trx, row, { ...facts, ...over }, { at, node })
  }
  // The clock of the node may be ahead: without its destinations the sample cannot contradict the reports.
  const sample = sampleOf(row)
  if (!sample) return
  await updateBroadcast(trx, row.id, { sample: JSON.stringify({ ...sample, destinations: [] }) })
}

/** Records a bitrate above the tariff. The event has both numbers in `words`: the incoming and the allowed bitrate. */
async function recordBitrate(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow,
  { state, kbps, kbpsMax }: RelayEvent & { type: 'bitrate' },
  { at, node }: { readonly at: string; readonly node: string },
): Promise<void> {
  if (state === 'fine') return noticeBitrateFine(services, trx, onAir)
  const level = state === 'high' ? 'warning' : 'error'
  const words = `${Math.round(kbps)} > ${kbpsMax} kbps`
  await insertEvent(trx, onAir.id, at, { level, kind: `bitrate-${state}`, reason: 'bitrate', words, node })
  await noticeBitrate(services, trx, onAir, words)
}

/** Records that a fault of the incoming stream began, or is over. A kind of a newer node is unknown here. */
async function recordFault(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow,
  { fault: { kind, value, limit }, isOn }: RelayEvent & { type: 'fault' },
  { at, node }: { readonly at: string; readonly node: string },
): Promise<void> {
  if (!isOneOf(inputFaults, kind)) return
  const level = !isOn ? 'info' : levelOf(kind) === 'problem' ? 'error' : 'warning'
  const words = isOn && value !== null && limit !== null ? `${value}, limit ${limit}` : null
  await insertEvent(trx, onAir.id, at, { level, kind: isOn ? 'fault' : 'fault-over', reason: kind, words, node })
  await noticeFault(services, trx, onAir, { kind, isOn })
}

/** Levels of the events that a change of state records. */
const levels: Readonly<Partial<Record<DestinationFacts['state'], 'info' | 'warning' | 'error'>>> = {
  live: 'info',
  degraded: 'warning',
  backoff: 'warning',
  rejected: 'error',
  stopped: 'info',
}

/** Records the state of a destination. @param where `node`: the reporting node; omitted: the service itself */
export async function recordDestination(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow,
  facts: DestinationFacts,
  { at, node }: { readonly at: string; readonly node?: string },
): Promise<void> {
  const known = (await listRestreams(trx, [onAir.id])).find((row) => row.channel_id === facts.id)
  const name = await storeReport(trx, onAir, { known, facts, at })
  if (name === undefined) return
  const tested = testResultOf(facts)
  if (tested !== null) await updateTestResult(trx, facts.id, tested, at)
  const { id: channel_id, reason, words, lacks } = facts
  const before = known && factsOf(known)
  const from = node === undefined ? {} : { node }
  if (lacks && lacks !== before?.lacks) {
    const event = { level: 'warning', kind: 'codec', reason: 'codec', words: lacks } as const
    await insertEvent(trx, onAir.id, at, { ...event, channel_id, ...from })
    await noticeCodec(services, trx, onAir, { channelId: channel_id, channel: name, codec: lacks })
  }
  if (isSending(facts) && (facts.smaller ?? false) !== (before?.smaller ?? false)) {
    const event = { level: facts.smaller ? 'warning' : 'info', kind: facts.smaller ? 'smaller' : 'larger' } as const
    await recordChannelEvent(trx, onAir.id, at, { ...event, channel_id, ...from })
  }
  const level = levels[facts.state]
  // The report only adds details about the same connection.
  if (before?.state === facts.state && before.since === facts.since) return
  if (level === undefined) return
  const event = { level, kind: facts.state, channel_id, reason, words, ...from }
  if (facts.state === 'stopped') await insertEvent(trx, onAir.id, at, event)
  else await recordChannelEvent(trx, onAir.id, at, event)
  await scheduleTitle(trx, onAir, facts)
  await noticeChannel(services, trx, onAir, { ...facts, name })
}

const isSending = ({ state }: DestinationFacts): boolean => state === 'live' || state === 'degraded'

/** Stores the report of a destination. @returns the name of its channel; undefined when the channel was removed */
async function storeReport(
  trx: Trx,
  onAir: BroadcastRow,
  {
    known,
    facts,
    at,
  }: { readonly known: RestreamRow | undefined; readonly facts: DestinationFacts; readonly at: string },
): Promise<string | undefined> {
  const report = JSON.stringify(facts)
  const isLive = facts.state === 'live'
  if (known) {
    const date_live = known.date_live ?? (isLive ? at : null)
    await updateRestream(trx, known.id, { report, date_live })
    return known.name
  }
  const channel = await findChannelName(trx, facts.id)
  if (!channel) return undefined
  await insertRestream(trx, {
    broadcast_id: onAir.id,
    channel_id: facts.id,
    name: channel.name,
    type: channel.type,
    report,
    date_create: at,
    date_live: isLive ? at : null,
  })
  return channel.name
}

/** Result of a channel's address test that a destination's state implies; null: none. */
function testResultOf({ state, reason }: Pick<DestinationFacts, 'state' | 'reason'>): string | null {
  if (state === 'live') return 'ok'
  // Many servers close the connection right after the start when the key is wrong.
  if (state === 'backoff') return reason === 'closed-early' ? 'rejected' : null
  if (state !== 'rejected' || isUnsent(reason) || reason === 'ffmpeg') return null
  return reason === 'forbidden' ? 'forbidden_address' : 'rejected'
}

/** A second without media is no measurement: a hold would lower averages, and the first second is often empty. */
export const hasMedia = ({ ingest }: SampleEvent): boolean => ingest.kbps > 0

async function recordSample(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow,
  fact: RelayEvent & { type: 'sample' },
): Promise<void> {
  const { ingest } = fact
  const before = sampleOf(onAir)
  // A repetition after a reconnect is older.
  if (before === null || before.at < fact.at) {
    await resumeRestreams(services, trx, onAir, fact)
    await updateBroadcast(trx, onAir.id, { sample: storedOf(fact) })
  }
  if (hasMedia(fact))
    await insertSample(trx, onAir.id, { at: Math.floor(fact.at / 1000), kbps: ingest.kbps, fps: ingest.fps })
}

/** A broadcast that ended without its node continues: destinations that stayed connected report no change. */
async function resumeRestreams(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  onAir: BroadcastRow,
  { at, destinations }: RelayEvent & { type: 'sample' },
): Promise<void> {
  const before = new Set(sampleOf(onAir)?.destinations.map(({ id }) => id))
  const added = destinations.filter(({ id }) => !before.has(id))
  if (added.length === 0) return
  const states = new Map((await listRestreams(trx, [onAir.id])).map((row) => [row.channel_id, factsOf(row).state]))
  for (const facts of added)
    if (states.get(facts.id) === 'stopped' && facts.state !== 'stopped')
      await recordDestination(services, trx, onAir, facts, { at: new Date(at).toISOString(), node: onAir.node })
}
