// Plays: runs of schedules at relay nodes. What a node has to play, its admission to the air, and what it reports.
import type { DesiredPlay, PlayState } from '#contract/entities/play.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { isOverLimit } from '#server/core/limits.ts'
import { scheduleJobs } from '#server/db/jobs.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { findProjectByStreamKey, streamKeyOf } from '#server/domain/ingest/stream-keys.ts'
import { findSuspension } from '#server/domain/projects/store.ts'
import { claimAir, type Claim } from './air-leases.ts'
import { insertEvent } from './events-store.ts'
import { isBehind, delayAtBegin } from './run-rules.ts'
import { closeRun, itemsOf, timesOf } from './runs.ts'
import {
  findRun,
  listOpenRuns,
  listRunsOfNode,
  lockOpenRuns,
  runKind,
  type RunRow,
  updateOpenRun,
} from './runs-store.ts'
import { findOnAir, updateOnAir } from './store.ts'
import { findStopped } from './stops.ts'

/** What scheduled files are on air, as a broadcast stores it. */
export interface PlayOnAir {
  readonly run: number
  /** Null: the schedule was deleted. */
  readonly schedule: number | null
  /** Channels of the run; empty: all. */
  readonly channels: readonly number[]
  /** File of the media library that plays; null: unknown. */
  readonly video: number | null
  readonly name: string
  /** Of the file, seconds. */
  readonly duration: number
}

/** Returns the scheduled files that are on air; null while an encoder is. */
export const playOf = ({ play }: { readonly play: string | null }): PlayOnAir | null =>
  play === null ? null : (JSON.parse(play) as PlayOnAir)

const playOnAir = (run: RunRow, item = run.item): string => {
  const file = itemsOf(run)[item]
  return JSON.stringify({
    run: run.id,
    schedule: run.schedule_id,
    channels: channelsOf(run),
    video: file?.id ?? null,
    name: file?.name ?? run.name,
    duration: Math.round((file?.ms ?? 0) / 1000),
  } satisfies PlayOnAir)
}

const channelsOf = ({ channel_ids }: Pick<RunRow, 'channel_ids'>): number[] => JSON.parse(channel_ids) as number[]

/** Returns what a run puts on air, as a broadcast stores it; null: it is unknown. */
export async function playFor(trx: Trx, projectId: number, runId: number | undefined): Promise<string | null> {
  const run = runId === undefined ? undefined : await findRun(trx, runId)
  return run?.project_id === projectId ? playOnAir(run) : null
}

/** Returns the channels of the run that is admitted while its project is not on air yet; empty: all. */
export async function channelsBeforeAir(db: ReadDb, projectId: number): Promise<readonly number[]> {
  const admitted = (await listOpenRuns(db, projectId)).findLast(({ date_admit }) => date_admit !== null)
  return admitted ? channelsOf(admitted) : []
}

/** Returns what a node has to play, or to prepare. */
export async function playsOf(
  services: Reading<Pick<Services, 'db' | 'config'>>,
  node: string,
): Promise<DesiredPlay[]> {
  const found: DesiredPlay[] = []
  for (const run of await listRunsOfNode(services.db, node)) {
    const key = await streamKeyOf(services, run.project_id)
    const items = itemsOf(run).map(({ file, ms }) => ({ file, ms }))
    const { begin, limit: endAt } = timesOf(run)
    if (key === null || items.length === 0) continue
    const rules = { loop: run.is_loop === 1, ...(run.stays === 1 && { stays: true }) }
    found.push({ projectId: run.project_id, run: run.id, key, beginAt: begin, endAt, ...rules, items })
  }
  return found
}

/** A play that may be on air. */
export interface PlayAdmission extends Claim {
  readonly projectId: number
  readonly isStopped: false
  /** Its times changed: the node gets its list before. */
  readonly isMoved: boolean
}

/** How much the clock of a node may be ahead, milliseconds. */
const earlyMs = 5_000
/** Broadcasts of a project that begin within a minute: a play that begins and ends in a loop would fill the history. */
const broadcastsPerMinute = 10

/**
 * Admits a play. It never takes the air from an encoder: at the node of the project it is admitted below the encoder, elsewhere it is
 * refused while an encoder sends.
 * @param at `node`: the relay node that plays; `isFull`: it accepts no new projects
 */
export async function admitPlay(
  services: Services,
  {
    run: id,
    key,
    node,
    isFull,
  }: { readonly run: number; readonly key: string; readonly node: string; readonly isFull: boolean },
): Promise<PlayAdmission | { readonly refuse: string; readonly reason?: 'conflict' | 'overload' }> {
  const { db } = services
  const projectId = (await findProjectByStreamKey(services, key))?.projectId
  const run = await findRun(db, id)
  if (projectId === undefined || run?.project_id !== projectId || run.node !== node || run.date_over !== null)
    return { refuse: 'The run is not for this server any more' }
  if (await findSuspension(db, projectId)) return { refuse: 'The project is suspended' }
  if (await findStopped(services, projectId))
    return { refuse: 'The broadcast was stopped, and its encoder still sends' }
  const onAir = await findOnAir(db, projectId)
  if (isFull && onAir?.node !== node) return { refuse: 'The server accepts no new broadcasts', reason: 'overload' }
  if (!onAir && isOverLimit(services.limits, `broadcasts ${projectId}`, broadcastsPerMinute))
    return { refuse: 'Too many broadcasts began within a minute' }
  return transaction(db, async (trx) => {
    const claim = await claimAir(trx, projectId, node, { isPlay: true })
    if (!claim) return { refuse: 'An encoder is on air at another server', reason: 'conflict' } as const
    const now = services.clock.now().getTime()
    const open = await lockOpenRuns(trx, projectId)
    const row = open.find((one) => one.id === id)
    if (!row) return { refuse: 'The run is over' }
    const times = timesOf(row)
    if (now < times.begin - earlyMs) return { refuse: 'It is not time for this run' }
    if (open.some((other) => isBehind(times, timesOf(other), now))) return { refuse: 'Another run is on' }
    const delay = row.date_admit === null ? delayAtBegin(times, now) : 0
    const later = (date: string) => iso(new Date(Date.parse(date) + delay))
    await updateOpenRun(trx, id, {
      state: 'live',
      date_begin: later(row.date_begin),
      date_limit: row.date_limit && later(row.date_limit),
      date_end: row.date_end && later(row.date_end),
      date_admit: row.date_admit ?? iso(new Date(now)),
    })
    return { projectId, isStopped: false, isMoved: delay > 0, ...claim }
  })
}

/** What a node reports about a play. */
export interface PlayReport {
  readonly projectId: number
  readonly run: number
  readonly state: PlayState
  readonly words: string
  readonly item?: number | undefined
}

/**
 * Records what a node reports about a play.
 * @returns `unknown`: the node should not have the play, it gets its list again; `changed`: pages show something else
 */
export async function notePlay(
  services: Services,
  node: string,
  report: PlayReport,
): Promise<'unknown' | 'same' | 'changed'> {
  return transaction(services.db, async (trx) => {
    const open = await lockOpenRuns(trx, report.projectId)
    const run = open.find(({ id }) => id === report.run)
    if (run?.node !== node) return report.state === 'ended' ? 'same' : 'unknown'
    const { state, words, item = run.item } = report
    if (state === 'ended') {
      const isLate = run.date_admit === null
      await closeRun(services, trx, run, isLate ? { state: 'missed', reason: 'late' } : { state: 'ended' })
      return 'changed'
    }
    if (state === 'failed') {
      await closeRun(services, trx, run, { state: 'failed', reason: 'play', words })
      return 'changed'
    }
    // Admitted to the air means live; a node that lost the admission requests it again.
    const next = run.date_admit === null ? (state === 'live' ? run.state : state) : 'live'
    if (next === run.state && words === run.words && item === run.item) return 'same'
    await updateOpenRun(trx, run.id, { state: next, words, item })
    await showItem(services, trx, run, { words, item })
    return 'changed'
  })
}

/** Shows the file that plays now on the broadcast, and records one that could not be played. */
async function showItem(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  run: RunRow,
  { words, item }: { readonly words: string; readonly item: number },
): Promise<void> {
  const onAir = await findOnAir(trx, run.project_id)
  if (!onAir) return
  if (words !== '' && words !== run.words) {
    const event = { level: 'warning', kind: 'play-skipped', words, node: run.node } as const
    await insertEvent(trx, onAir.id, iso(clock.now()), event)
  }
  if (item !== run.item && playOf(onAir)?.run === run.id)
    await updateOnAir(trx, onAir.id, { play: playOnAir(run, item) })
}

/** Looks at the runs of a node that disconnected, or drains; null: at those without a node, because one takes work now. */
export async function wakeRunsOfNode(trx: Trx, node: string | null): Promise<void> {
  const jobs = (await listRunsOfNode(trx, node)).map(({ id }) => ({ ...runKind, key: String(id) }))
  await scheduleJobs(trx, jobs, { skipsBackoff: true })
}
