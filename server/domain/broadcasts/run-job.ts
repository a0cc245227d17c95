// Job of a run: gives it to a relay node before its time, and to another one when that is gone, until the run is over.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import type { Outcome } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { staleAfterMs } from '#server/domain/ingest/health.ts'
import { listNodesNow, type NodeNow } from '#server/domain/ingest/servers.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { airLeaseMs } from './air-leases.ts'
import { playOf, playsOf } from './plays.ts'
import { endGraceMs, isBehind, judgeRun, latestBegin, type RunTimes } from './run-rules.ts'
import { closeRun, type Closing, type RunItem, timesOf } from './runs.ts'
import { findRun, listOpenRunIds, listOpenRuns, removeRun, runKind, type RunRow, updateOpenRun } from './runs-store.ts'
import { filmsOf, isTooHeavy } from './schedule-films.ts'
import { listItems } from './schedules-store.ts'
import { findOnAir } from './store.ts'

/** Interval in which the node of a run is looked at, milliseconds. Connections that close, and encoders that begin, come before it. */
const lookMs = 30_000
/** The same while something is missing: a node, a file, or its turn. */
const lackMs = 5_000
/** Time that a disconnected node has to come back, milliseconds. */
export const goneMs = 3_000

/** @param changed called when pages show something else of the schedules of a project */
export const createRunJob = (changed: (services: Services, projectId: number) => void): JobKind => ({
  ...runKind,
  leaseMs: 60_000,
  atOnce: 8,
  backoff: { firstMs: 1_000, mostMs: 30_000 },
  parkAfter: 'never',
  missing: async (db) => (await listOpenRunIds(db)).map(String),
  async run(services, job) {
    const run = await findRun(services.db, Number(job.key))
    if (!run) return 'done'
    if (run.date_over !== null) {
      await sendPlays(services, [run.node])
      if (run.schedule_id === null) await removeRun(services.db, run.id)
      changed(services, run.project_id)
      return 'done'
    }
    return lead(services, run)
  },
})

/** Does what an open run needs now. */
async function lead(services: Services, stored: RunRow): Promise<Outcome> {
  const { db, clock } = services
  const now = clock.now().getTime()
  // What has begun keeps its files.
  const files = stored.date_admit === null ? await readFiles(services, stored) : null
  const plan = files && planOf(stored, files)
  const run = { ...stored, ...plan }
  const times = timesOf(run)
  const ahead = (await listOpenRuns(db, run.project_id)).filter((other) => isBehind(times, timesOf(other), now))
  const verdict = judgeRun(times, now, ahead.length > 0)
  const hasNone = files?.items.length === 0
  const wanted = verdict === 'wait' || hasNone ? noNode : await nodeFor(services, run, now)
  if (verdict === 'ended') return close(services, run, { state: 'ended' })
  if (verdict === 'missed') {
    const isOverlapped = ahead.some(({ date_admit }) => date_admit !== null)
    const reason = isOverlapped ? 'overlap' : hasNone ? 'no_video' : wanted.node === null ? 'no_server' : 'late'
    return close(services, run, { state: 'missed', reason })
  }
  // A file that is being prepared may still come in time.
  if (hasNone && now >= times.begin && !files.isPreparing)
    return close(services, run, { state: 'failed', reason: 'no_video' })
  if (!(await updateOpenRun(db, run.id, { ...wanted, ...plan }, files !== null))) return { againMs: 0 }
  await sendPlays(services, [run.node, wanted.node])
  const isLacking = wanted.node === null || (files?.lacking ?? 0) > 0
  const look = wanted.date_gone !== null ? goneMs : isLacking ? lackMs : lookMs
  return { againMs: Math.min(look, untilVerdict(times, now)) }
}

const noNode = { node: null, date_gone: null }

/** Returns the time until a run is missed or over, milliseconds. */
function untilVerdict(times: RunTimes, now: number): number {
  const at = times.isAdmitted ? times.end && times.end + endGraceMs : latestBegin(times)
  return at === null ? Infinity : Math.max(1, at - now + 1)
}

/** Ends a run; the next run of its job informs the node. Jobs of other runs are scheduled, so that this one must not be locked before. */
async function close(services: Services, run: RunRow, closing: Closing): Promise<Outcome> {
  await transaction(services.db, (trx) => closeRun(services, trx, run, closing))
  return { againMs: 0 }
}

interface Files {
  readonly items: readonly RunItem[]
  /** Files of the schedule that cannot be played now. */
  readonly lacking: number
  /** One of them is being prepared. */
  readonly isPreparing: boolean
}

/** Reads the files of a run that has not begun. */
async function readFiles(services: Services, { schedule_id, project_id }: RunRow): Promise<Files> {
  const { db } = services
  const ids = (schedule_id === null ? undefined : (await listItems(db, [schedule_id])).get(schedule_id)) ?? []
  const films = await filmsOf(db, project_id, ids)
  const { bitrateMax } = await limitsOf(services, db, project_id)
  const items = ids.flatMap((id) => {
    const film = films.get(id)
    return film?.state === 'ready' && !isTooHeavy(film, bitrateMax)
      ? [{ id, file: film.file, ms: film.ms, name: film.name }]
      : []
  })
  const isPreparing = ids.some((id) => films.get(id)?.state === 'processing')
  return { items, lacking: ids.length - items.length, isPreparing }
}

/** Returns the files of a run, and its end where the files decide it. */
function planOf(run: RunRow, { items }: Files) {
  const ms = items.reduce((sum, item) => sum + item.ms, 0)
  const files = Date.parse(run.date_begin) + ms
  const limit = run.date_limit
  const endsEarlier = run.is_loop === 0 && ms > 0 && (limit === null || files < Date.parse(limit))
  return { items: JSON.stringify(items), date_end: endsEarlier ? iso(new Date(files)) : limit }
}

/** Sends nodes what they have to play. */
async function sendPlays(services: Services, nodes: readonly (string | null)[]): Promise<void> {
  for (const name of new Set(nodes)) if (name !== null) services.relay.play(name, await playsOf(services, name))
}

/**
 * Returns the node of a run: where an encoder of the project is on air; else the one that has the run, as long as it is connected or was
 * 3 s ago (20 s with an encoder on air); else the one of the broadcast, or the one with the least load. null: none can play now.
 */
async function nodeFor(
  services: Services,
  run: RunRow,
  now: number,
): Promise<{ readonly node: string | null; readonly date_gone: string | null }> {
  const able = (await listNodesNow(services, staleAfterMs)).filter(
    ({ node, about }) => about.plays && !about.drainUntil && services.relay.has(node),
  )
  const isAble = (name: string | null | undefined) => able.some(({ node }) => node === name)
  const onAir = await findOnAir(services.db, run.project_id)
  const encoderAt = onAir?.status === 'active' && playOf(onAir) === null ? onAir.node : null
  if (encoderAt !== null && services.relay.has(encoderAt))
    return { node: isAble(encoderAt) ? encoderAt : null, date_gone: null }
  if (isAble(run.node)) return { node: run.node, date_gone: null }
  const other = isAble(onAir?.node) ? (onAir?.node ?? null) : (leastLoaded(able)?.node ?? null)
  // A node whose connection alone is cut still sends the encoder, as long as its lease lasts.
  const waitMs = encoderAt === null ? goneMs : airLeaseMs
  return afterNode(services, run, { gone: encoderAt ?? run.node, other, waitMs, now })
}

/** Returns the node after the one that is gone. Without another one the run keeps it, and continues when it reconnects. */
function afterNode(
  { relay }: Pick<Services, 'relay'>,
  run: RunRow,
  about: { readonly gone: string | null; readonly other: string | null; readonly waitMs: number; readonly now: number },
) {
  const { gone, other, waitMs, now } = about
  if (gone === null || relay.has(gone)) return { node: other ?? gone, date_gone: null }
  const date_gone = run.date_gone ?? iso(new Date(now))
  const isOver = now - Date.parse(date_gone) >= waitMs
  return isOver && other !== null ? { node: other, date_gone: null } : { node: gone, date_gone }
}

const leastLoaded = (nodes: readonly NodeNow[]): NodeNow | undefined =>
  nodes.filter(({ about }) => !about.full).toSorted((a, b) => (a.loads?.cpu ?? 0) - (b.loads?.cpu ?? 0))[0]
