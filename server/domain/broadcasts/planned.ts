// Broadcasts that schedules plan at platforms, so that viewers can subscribe: one for the next occurrence of a schedule and channel.
// A job keeps it as the schedule wants it, and makes it at most once (decision 0116).
import type { PlannedInput, PlannedReason, ScheduledTitle } from '#contract/entities/schedule.ts'
import { dayMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import { type PlannedDetails, type Planning, type StreamSettings, textOf } from '#server/core/platform-adapter.ts'
import { type ProviderApi, ProviderUnauthorizedError } from '#server/core/platform-api.ts'
import { ProviderRefusedError } from '#server/core/provider-http.ts'
import { FencedError, type Outcome } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { unsealSecret } from '#server/domain/channels/secrets.ts'
import { findChannel } from '#server/domain/channels/store.ts'
import { readSettings } from '#server/domain/channels/stream-info.ts'
import { withAccount } from '#server/domain/platforms/accounts.ts'
import { type AccountRow, findAccount } from '#server/domain/platforms/accounts-store.ts'
import { nextMidnight } from '#server/domain/platforms/quota.ts'
import { claimMs, findMarked, hasUnits, insertMarked, type Making, NotMineError } from './made-once.ts'
import type { MarkedKey } from './marked-store.ts'
import {
  claimPlanned,
  findPlanned,
  findPlannedClaimMs,
  insertPlanned,
  listPlannable,
  listPlannedKeys,
  plannedKind,
  type PlannedRow,
  removePlanned,
  updatePlanned,
} from './planned-store.ts'
import { listOpenRuns } from './runs-store.ts'
import { nextOf } from './schedules.ts'
import { findScheduleById } from './schedules-store.ts'

/** Time between looks at a schedule without a change: channels are switched, and rules of zones change. Milliseconds. */
const lookMs = dayMs / 4
/** From so long before the begin the stream feeds the broadcast, which is not made or moved any more, milliseconds. */
const aheadMs = 60_000
/** Failed runs in a row after which pages show that the platform is unreachable. */
const awayAttempts = 2

/** What a schedule wants at the platform of a channel. */
interface Wanted {
  /** ISO 8601, whole seconds. */
  readonly startAt: string
  readonly title: string
  readonly details: PlannedDetails
  /** All of it as text. */
  readonly text: string
  /** Null: the channel has no account that works. */
  readonly at: { readonly account: AccountRow; readonly planning: Planning; readonly streamKey: string } | null
  /** Time until the stream has to feed the broadcast, milliseconds; not above 0: now. */
  readonly feedInMs: number
  /** Its run is on. */
  readonly isOn: boolean
}

/** One run of the job. */
interface Run {
  readonly services: Services
  readonly job: Job
  readonly key: MarkedKey
  readonly wanted: Wanted | null
}

/** @param changed called when pages show something else of the schedules of a project */
export const createPlannedJob = (changed: (services: Services, projectId: number) => void): JobKind => ({
  ...plannedKind,
  leaseMs: 120_000,
  atOnce: 4,
  backoff: { firstMs: claimMs, mostMs: 300_000 },
  parkAfter: 'never',
  missing: listPlannedKeys,
  async run(services, job) {
    const [ownerId = 0, channelId = 0] = job.key.split(':').map(Number)
    const key = { ownerId, channelId }
    const before = await findPlanned(services.db, key)
    const run = { services, job, key, wanted: await wantedOf(services, key) }
    const outcome = await runOnce(run, before).catch((error: unknown) => fail(run, error))
    const after = await findPlanned(services.db, key)
    const shown = (row: PlannedRow | undefined) => JSON.stringify([row?.state, row?.start_at, row?.page, row?.reason])
    const schedule = shown(before) === shown(after) ? undefined : await findScheduleById(services.db, ownerId)
    if (schedule) changed(services, schedule.project_id)
    return outcome
  },
})

async function wantedOf(services: Services, key: MarkedKey): Promise<Wanted | null> {
  const { db, platforms } = services
  const found = await findPlannable(services, key)
  if (!found) return null
  const { schedule, channel, planned } = found
  const open = (await listOpenRuns(db, schedule.project_id)).find(({ schedule_id }) => schedule_id === schedule.id)
  const at = open ? Date.parse(open.date_occurrence) : nextOf(schedule, 1)[0]
  if (at === undefined) return null
  const titles = JSON.parse(schedule.titles) as readonly ScheduledTitle[]
  const account = await findAccount(db, channel.account_id)
  const planning = account && platforms[account.platform].planning
  const streamKey = unsealSecret(services, channel.secret_sealed)?.key
  const title = titles.find(({ channel_id }) => channel_id === channel.id)?.title ?? schedule.name
  const wanted = {
    startAt: iso(new Date(Math.floor(at / 1000) * 1000)),
    title: planning?.titleOf(title) ?? title,
    details: detailsOf(planned, readSettings(channel.settings)),
  }
  return {
    ...wanted,
    text: JSON.stringify(wanted),
    at: account?.status === 1 && planning && streamKey ? { account, planning, streamKey } : null,
    feedInMs: at - aheadMs - services.clock.now().getTime(),
    isOn: open !== undefined && open.date_admit !== null,
  }
}

/** Returns a schedule that plans broadcasts, and its channel, where that takes part. */
async function findPlannable({ db }: Services, { ownerId, channelId }: MarkedKey) {
  const schedule = await findScheduleById(db, ownerId)
  if (!schedule || schedule.planned === null) return null
  if (!(await listPlannable(db, schedule)).includes(channelId)) return null
  const channel = await findChannel(db, schedule.project_id, channelId)
  return channel ? { schedule, channel, planned: JSON.parse(schedule.planned) as PlannedInput } : null
}

const detailsOf = ({ privacy, description }: PlannedInput, settings: StreamSettings): PlannedDetails => ({
  description: description ?? textOf(settings, 'description') ?? '',
  privacy,
  audience: textOf(settings, 'audience') ?? null,
  latency: textOf(settings, 'latency') ?? null,
  isStopped: settings['disable_auto_end'] !== true,
})

async function runOnce(run: Run, known: PlannedRow | undefined): Promise<Outcome> {
  const { services, job, key, wanted } = run
  if (!known) {
    if (!wanted) return 'done'
    await transaction(services.db, async (trx) => {
      await job.fence(trx)
      const nothing = { video_id: null, page: null, refused: null, reason: null, words: null, claim_until: 0 }
      const names = { schedule_id: key.ownerId, channel_id: key.channelId }
      await insertPlanned(trx, { ...names, ...markOf(wanted), state: 'waiting', ...nothing })
    })
  }
  const row = await claimPlanned(services.db, key, claimMs)
  if (!row) return { againMs: await findPlannedClaimMs(services.db, key) }
  const account = row.account_id === null ? undefined : await findAccount(services.db, row.account_id)
  const planning = account && services.platforms[account.platform].planning
  const there = account && planning && { account, planning }
  if (row.state === 'waiting') return await begin(run, row)
  // Its account was removed: what was planned is out of reach.
  if (!there) return await drop(run, row)
  if (row.state !== 'inserting') return await keep(run, row, there)
  const made = await findMarked(makingOf(run, there), row, there.planning)
  return made ? await keep(run, made, there) : await begin(run, await change(run, row, { state: 'waiting' }))
}

/** The account of a broadcast that exists, or may. */
interface There {
  readonly account: AccountRow
  readonly planning: Planning
}

const markOf = ({ startAt, title, details, at }: Wanted) => ({
  start_at: startAt,
  title,
  details: JSON.stringify(details),
  account_id: at?.account.id ?? null,
})

const makingOf = (run: Run, { account, planning }: There): Making<PlannedRow> => ({
  ask: (call) => ask(run, account, call),
  recordMade: (row, id) => change(run, row, { state: 'inserted', video_id: id, page: planning.pageOf(id) }),
  claimAnew: ({ claim_until }) =>
    transaction(run.services.db, async (trx) => {
      await run.job.fence(trx)
      const isWanted = (await findScheduleById(trx, run.key.ownerId))?.planned
      const claimed = isWanted ? await claimPlanned(trx, run.key, claimMs, claim_until) : undefined
      if (!claimed) throw new NotMineError()
      return claimed
    }),
})

/** Calls the platform, if this run still has the job. */
async function ask<T>({ services, job }: Run, account: AccountRow, call: (api: ProviderApi) => Promise<T>): Promise<T> {
  await job.renew()
  return await withAccount(services, account, call)
}

/** Stores a step. @throws NotMineError when another run claimed the row */
const change = ({ services, job }: Run, row: PlannedRow, values: Partial<PlannedRow>): Promise<PlannedRow> =>
  transaction(services.db, async (trx) => {
    await job.fence(trx)
    const next = await updatePlanned(trx, row, values, claimMs)
    if (!next) throw new NotMineError()
    return next
  })

/** Ends the run, and its claim. @param againMs time until the next look, milliseconds */
async function end(
  { services, job, wanted }: Run,
  row: PlannedRow,
  values: Partial<PlannedRow> = {},
  againMs = lookMs,
): Promise<Outcome> {
  const feedInMs = wanted && wanted.feedInMs > 0 ? wanted.feedInMs : Infinity
  const outcome = wanted ? { againMs: Math.min(againMs, feedInMs) } : 'done'
  await transaction(services.db, async (trx) => {
    await job.finish(trx, outcome)
    await updatePlanned(trx, row, { ...values, claim_until: 0 })
  })
  return outcome
}

/** Forgets a broadcast. The next run plans another one, if it is wanted. */
async function drop({ services, job, wanted }: Run, row: PlannedRow): Promise<Outcome> {
  const outcome = wanted ? { againMs: 0 } : 'done'
  await transaction(services.db, async (trx) => {
    await job.finish(trx, outcome)
    await removePlanned(trx, row)
  })
  return outcome
}

/** Makes a broadcast where none exists. */
async function begin(run: Run, row: PlannedRow): Promise<Outcome> {
  const { services, wanted } = run
  if (!wanted) return await drop(run, row)
  const why = (reason: PlannedReason, againMs?: number) =>
    end(run, row, { start_at: wanted.startAt, reason, words: null }, againMs)
  const now = services.clock.now()
  if (!wanted.at) return await why('account')
  if (Date.parse(wanted.startAt) - now.getTime() < aheadMs) return await why('late')
  if (row.refused === wanted.text) return await end(run, row)
  const { account, planning } = wanted.at
  if (!(await hasUnits(services, account))) return await why('quota', untilMidnight(now))
  const cleared = { reason: null, words: null, refused: null }
  const marked = await change(run, row, { ...markOf(wanted), ...cleared, state: 'inserting' })
  const made = await insertMarked(makingOf(run, wanted.at), marked, (api, mark) =>
    planning.insert(api, mark, wanted.details),
  ).catch(async (error: unknown) => {
    if (error instanceof ProviderRefusedError) await recordNone(run)
    throw error
  })
  return await keep(run, made, wanted.at)
}

/** Stores that a request made nothing. */
const recordNone = ({ services, job, key }: Run): Promise<void> =>
  transaction(services.db, async (trx) => {
    await job.fence(trx)
    const row = await findPlanned(trx, key)
    if (row) await updatePlanned(trx, row, { state: 'waiting' })
  })

const untilMidnight = (now: Date): number => nextMidnight(now).getTime() - now.getTime()

/** Keeps a broadcast that exists as the schedule wants it. */
async function keep(run: Run, row: PlannedRow, there: There): Promise<Outcome> {
  const { wanted } = run
  if (!wanted) return await remove(run, row, there)
  // It is looked at again when the account is back.
  if (!wanted.at) return await end(run, row, { reason: 'account' })
  if (wanted.at.account.id !== there.account.id) return await remove(run, row, there)
  if (row.start_at !== wanted.startAt) return await move(run, row, there, wanted)
  // What is on air belongs to its viewers.
  if (wanted.isOn && row.state === 'bound') return await end(run, row)
  const kept = isSame(row, wanted) || row.refused === wanted.text ? row : await update(run, row, there, wanted)
  return kept ? await feed(run, kept, wanted) : await drop(run, row)
}

/** Feeds the broadcast of a run that is about to begin. */
async function feed(run: Run, row: PlannedRow, { at, feedInMs }: Wanted): Promise<Outcome> {
  if (!at || feedInMs > 0 || row.state === 'bound') return await end(run, row)
  const isFed = await ask(run, at.account, (api) => at.planning.bind(api, row.video_id ?? '', at.streamKey))
  if (!isFed) return await end(run, row, { reason: 'platform-gone' })
  return await end(run, row, { state: 'bound', reason: null, words: null })
}

/** Moves a broadcast to another time. One whose time has come, or that the stream feeds, makes room for another one. */
async function move(run: Run, row: PlannedRow, there: There, wanted: Wanted): Promise<Outcome> {
  const isAhead = Date.parse(row.start_at) - run.services.clock.now().getTime() > aheadMs
  if (!isAhead || row.state !== 'inserted') return await remove(run, row, there)
  if (row.refused === wanted.text) return await end(run, row)
  const state = await ask(run, there.account, (api) => there.planning.stateOf(api, row.video_id ?? ''))
  const moved = state === 'waiting' ? await update(run, row, there, wanted) : null
  return moved ? await end(run, moved) : await drop(run, row)
}

/** Deletes a broadcast that has not begun, and forgets it. */
async function remove(run: Run, row: PlannedRow, { account, planning }: There): Promise<Outcome> {
  const id = row.video_id ?? ''
  const isOld = run.services.clock.now().getTime() - Date.parse(row.start_at) > dayMs
  // A schedule that was deleted is not asked about for ever.
  if (run.wanted || !isOld) {
    const state = await ask(run, account, (api) => planning.stateOf(api, id))
    if (state === 'waiting') await ask(run, account, (api) => planning.remove(api, id))
  }
  return await drop(run, row)
}

const isSame = (row: PlannedRow, wanted: Wanted): boolean =>
  row.title === wanted.title && row.details === JSON.stringify(wanted.details)

/** Changes time and texts of a broadcast. @returns null when the platform has it no longer */
async function update(run: Run, row: PlannedRow, { account, planning }: There, wanted: Wanted) {
  const mark = { title: wanted.title, startAt: wanted.startAt }
  const isThere = await ask(run, account, (api) => planning.update(api, row.video_id ?? '', mark, wanted.details))
  if (!isThere) return null
  return await change(run, row, { ...markOf(wanted), reason: null, words: null, refused: null })
}

/** Stores why a run failed. What the platform refused is requested again when the schedule changes. */
async function fail(run: Run, error: unknown): Promise<Outcome> {
  const { services, job, key, wanted } = run
  if (error instanceof FencedError) throw error
  if (error instanceof NotMineError) return { againMs: claimMs }
  const row = await findPlanned(services.db, key)
  if (!row) throw error
  if (error instanceof ProviderUnauthorizedError) return await end(run, row, { reason: 'account', words: null })
  if (error instanceof ProviderRefusedError) {
    const isQuota = /quota/i.test(error.reason)
    const words = error.reason === '' ? null : error.reason
    const why = isQuota
      ? { reason: 'quota' as const }
      : { reason: 'platform-refused' as const, refused: wanted?.text ?? '' }
    return await end(run, row, { words, ...why }, isQuota ? untilMidnight(services.clock.now()) : lookMs)
  }
  if (job.attempts >= awayAttempts)
    await transaction(services.db, async (trx) => {
      await job.fence(trx)
      await updatePlanned(trx, row, { reason: 'platform-away', words: null })
    })
  throw error
}
