// Runs of schedules: what they play, and how they end.
import type { ClosedRunState, RunReason } from '#contract/entities/schedule.ts'
import type { PlayItem } from '#contract/entities/play.ts'
import { dayMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { scheduleJobs } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { wakePlanned } from './planned-wake.ts'
import type { RunTimes } from './run-rules.ts'
import { listOpenRuns, lockOpenRuns, removeRun, runKind, type RunRow, updateOpenRun } from './runs-store.ts'

/** A file of a run. */
export interface RunItem extends PlayItem {
  /** Of the media library. */
  readonly id: number
  readonly name: string
}

/** Returns the files of a run. */
export const itemsOf = ({ items }: Pick<RunRow, 'items'>): RunItem[] => JSON.parse(items) as RunItem[]

const msOf = (date: string): number => Date.parse(date)

/** Returns the times of a run. */
export const timesOf = (run: RunRow): RunTimes => ({
  id: run.id,
  occurrence: msOf(run.date_occurrence),
  begin: msOf(run.date_begin),
  limit: run.date_limit === null ? null : msOf(run.date_limit),
  end: run.date_end === null ? null : msOf(run.date_end),
  late: run.late,
  lateMax: run.late_max * 1000,
  isAdmitted: run.date_admit !== null,
})

/** How a run ends. */
export interface Closing {
  readonly state: ClosedRunState
  readonly reason?: RunReason
  readonly words?: string
}

/** Ends a run, and informs the owners of one that failed or was missed. @returns false when it was over */
export async function closeRun(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  run: RunRow,
  { state, reason, words = run.words }: Closing,
): Promise<boolean> {
  const now = services.clock.now()
  const change = { state, reason: reason ?? null, words: words.slice(0, 1_000), date_over: iso(now) }
  if (!(await updateOpenRun(trx, run.id, change))) return false
  await wakeRuns(trx, run.project_id, [run.id])
  if (run.schedule_id !== null) await wakePlanned(trx, run.schedule_id)
  const isBad = state === 'missed' || state === 'failed'
  // Those of a service that was away for long are listed only.
  if (!isBad || now.getTime() - msOf(run.date_occurrence) > dayMs) return true
  await notify(services, trx, {
    kind: state === 'missed' ? 'schedule_missed' : 'schedule_failed',
    projectId: run.project_id,
    ref: run.id,
    params: { schedule: run.name, date: run.date_occurrence, reason: reason ?? 'play' },
  })
  return true
}

/** Looks at the open runs of a project now: they may have a turn, or another node. @param more further runs */
export async function wakeRuns(trx: Trx, projectId: number, more: readonly number[] = []): Promise<void> {
  const open = (await listOpenRuns(trx, projectId)).map(({ id }) => id)
  const jobs = [...open, ...more].map((id) => ({ ...runKind, key: String(id) }))
  await scheduleJobs(trx, jobs, { skipsBackoff: true })
}

/** Removes the runs of a schedule that have not begun, before it changes. Their nodes learn it by the next list. */
export async function dropUnbegun(trx: Trx, projectId: number, scheduleId: number): Promise<void> {
  const unbegun = (await lockOpenRuns(trx, projectId)).filter(
    ({ schedule_id, date_admit }) => schedule_id === scheduleId && date_admit === null,
  )
  for (const { id } of unbegun) await removeRun(trx, id)
}

/** Ends the runs of a project that are on, with the broadcast that a user stopped. */
export async function closeAdmitted(services: Pick<Services, 'clock'>, trx: Trx, projectId: number): Promise<void> {
  for (const run of await lockOpenRuns(trx, projectId))
    if (run.date_admit !== null) await closeRun(services, trx, run, { state: 'stopped' })
}
