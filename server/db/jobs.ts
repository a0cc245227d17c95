// Statements of the job table. The database's clock alone sets times, so that clocks of replicas may differ.
import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { databaseNow, isSqlite } from './fragments.ts'
import type { Db, Trx, ReadDb } from './types.ts'

/** Channel of signals for jobs that are due soon. The payload is a kind and the time until the run, milliseconds. */
export const jobsChannel = 'jobs'
/** Jobs due within this time wake the runners, milliseconds. Runners look at the table each `checkMs` anyway. */
export const checkMs = 5_000
/** A job whose lease expired so often may have ended its process: of such jobs a process runs one at a time. */
const suspectDeaths = 2

/** Names one job. */
export interface JobName {
  readonly kind: string
  readonly key: string
}

/** A leased job. */
export interface LeasedJob extends JobName {
  readonly token: number
  /** Runs since the last success, this one included. */
  readonly attempts: number
  /** The last run of a job whose leases expired several times did not end: that run has failed, and a backoff follows. */
  readonly isLost: boolean
}

/** The lease of a job ended, and another holder may run it: the transaction must not commit. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}

export interface ScheduleOptions {
  /** Time until the run, milliseconds. Default: 0. */
  readonly inMs?: number
  /** Runs a failed job before its backoff ends, also when the run in progress fails. Default: a failed job keeps its due time. */
  readonly skipsBackoff?: boolean
}

/**
 * Schedules a run of a job in a transaction; the run begins after the commit. A run in progress is followed by another one. A
 * waiting job only moves to an earlier time, and a parked job stays parked.
 * @example await scheduleJob(trx, checkJob, payment.id)
 */
export const scheduleJob = (
  trx: Trx,
  { kind }: { readonly kind: string },
  key: string | number = '',
  options: ScheduleOptions = {},
): Promise<void> => scheduleJobs(trx, [{ kind, key: String(key) }], options)

/** Schedules a run of several jobs in one statement, as `scheduleJob` does. A job that is named twice is scheduled once. */
export async function scheduleJobs(
  trx: Trx,
  jobs: readonly JobName[],
  { inMs = 0, skipsBackoff = false }: ScheduleOptions = {},
): Promise<void> {
  if (jobs.length === 0) return
  const due = sql<number>`${databaseNow(trx)} + ${Math.max(0, Math.round(inMs))}`
  // One order of locks for all transactions.
  const byName = new Map(jobs.map((job) => [`${job.kind} ${job.key}`, job]))
  const names = [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? [])
  const values = sql.join(names.map(({ kind, key }) => sql`(${kind}, ${key}, ${due})`))
  const earlier = least(trx, sql`jobs.due`, sql`excluded.due`)
  const moved = skipsBackoff ? earlier : sql`case when jobs.attempts > 0 then jobs.due else ${earlier} end`
  const next = least(trx, sql`coalesce(jobs.again, excluded.due)`, sql`excluded.due`)
  const urgent = skipsBackoff
    ? least(trx, sql`coalesce(jobs.urgent, excluded.due)`, sql`excluded.due`)
    : sql`jobs.urgent`
  const upsert = sql`insert into jobs (kind, key, due) values ${values}
    on conflict (kind, key) do update set
      due = case when jobs.token <> 0 or jobs.due is null then jobs.due else ${moved} end,
      again = case when jobs.token <> 0 then ${next} end, urgent = case when jobs.token <> 0 then ${urgent} end`
  if (isSqlite(trx) || inMs > checkMs) await upsert.execute(trx)
  else
    await sql`with scheduled as (${upsert} returning kind)
      select ${notification(jobsChannel, sql`kind || ${` ${inMs}`}`)} from (select distinct kind from scheduled) as kinds`.execute(
      trx,
    )
}

/** `pg_notify` to the services of this schema; sent at the commit. */
const notification = (channel: string, payload: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`pg_notify('relaydeck_' || ${channel}::text || '_' || current_schema(), (${payload})::text)`

/** Removes a job that is not needed any more. A run in progress is not affected. */
export async function unscheduleJob(
  trx: Trx,
  { kind }: { readonly kind: string },
  key: string | number,
): Promise<void> {
  await sql`delete from jobs where kind = ${kind} and key = ${String(key)} and token = 0`.execute(trx)
}

/** Removes all jobs of a kind that do not run. */
export async function removeJobsOf(db: Db | Trx, kind: string): Promise<void> {
  await sql`delete from jobs where kind = ${kind} and token = 0`.execute(db)
}

/** Ensures that jobs exist; those that exist stay as they are. */
export async function insertJobs(db: Db | Trx, kind: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += 500) {
    const rows = keys.slice(at, at + 500).map((key) => ({ kind, key, due: databaseNow(db) }))
    await db
      .insertInto('jobs')
      .values(rows)
      .onConflict((one) => one.doNothing())
      .execute()
  }
}

/**
 * Leases due jobs of a kind, oldest first; no other replica leases them before the lease ends.
 * @param limit most jobs
 */
export const leaseJobs = (db: Db, kind: string, leaseMs: number, limit: number): Promise<LeasedJob[]> =>
  lease(
    db,
    leaseMs,
    sql`select kind, key from jobs where kind = ${kind} and due <= ${databaseNow(db)} and deaths < ${suspectDeaths}
      order by due limit ${limit} ${skipLocked(db)}`,
  )

/** Leases one due job whose lease expired several times. @param leaseMs duration by kind; other kinds are left out */
export async function leaseSuspect(db: Db, leaseMs: ReadonlyMap<string, number>): Promise<LeasedJob | undefined> {
  if (leaseMs.size === 0) return undefined
  const { rows } = await sql<{ kind: string; key: string; token: number }>`select kind, key, token from jobs
    where due <= ${databaseNow(db)} and ${isSuspect(leaseMs.keys())} order by due limit 10`.execute(db)
  for (const { kind, key, token } of rows) {
    const picked = sql`select kind, key from jobs where kind = ${kind} and key = ${key} and token = ${token}
      and due <= ${databaseNow(db)} ${skipLocked(db)}`
    const [job] = await lease(db, leaseMs.get(kind) ?? 0, picked)
    if (job) return { ...job, isLost: token !== 0 }
  }
  return undefined
}

/** Condition: a job of these kinds whose lease expired several times. */
const isSuspect = (kinds: Iterable<string>) =>
  sql`deaths >= ${sql.lit(suspectDeaths)} and kind in (${sql.join([...kinds])})`

/** Leases one job, due or not, and inserts it where it is missing. @returns undefined when it runs or is parked */
export async function leaseJob(db: Db, kind: string, key: string, leaseMs: number): Promise<LeasedJob | undefined> {
  const now = databaseNow(db)
  const { rows } = await sql<Omit<LeasedJob, 'isLost'>>`insert into jobs (kind, key, due, token, attempts)
    values (${kind}, ${key}, ${now} + ${leaseMs}, ${randomToken()}, 1)
    on conflict (kind, key) do update set due = excluded.due, token = excluded.token, attempts = jobs.attempts + 1,
      deaths = jobs.deaths + case when jobs.token <> 0 then 1 else 0 end
    where jobs.due is not null and (jobs.token = 0 or jobs.due <= ${now})
    returning kind, key, token, attempts`.execute(db)
  return rows[0] && { ...rows[0], isLost: false }
}

const randomToken = (): number => randomInt(1, 2 ** 48 - 1)

async function lease(db: Db, leaseMs: number, picked: RawBuilder<unknown>): Promise<LeasedJob[]> {
  const { rows } = await sql<
    Omit<LeasedJob, 'isLost'> & { deaths: number }
  >`with picked as ${isSqlite(db) ? sql`` : sql`materialized`} (${picked})
    update jobs set due = ${databaseNow(db)} + ${leaseMs}, token = ${randomToken()}, attempts = attempts + 1,
      deaths = deaths + case when token <> 0 then 1 else 0 end
    from picked where jobs.kind = picked.kind and jobs.key = picked.key
    returning jobs.kind, jobs.key, jobs.token, jobs.attempts, jobs.deaths`.execute(db)
  // `leaseJobs` takes no suspects: a job that is one now became one by this lease.
  return rows.map(({ deaths, ...job }) => ({ ...job, isLost: deaths === suspectDeaths }))
}

/** Locks the row of a running job until the transaction ends. @throws FencedError when the lease was lost */
export async function lockJob(trx: Trx, job: LeasedJob): Promise<void> {
  const row = await trx
    .selectFrom('jobs')
    .select('token')
    .where('kind', '=', job.kind)
    .where('key', '=', job.key)
    .where('token', '=', job.token)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new FencedError(`Another holder has the job ${job.kind} ${job.key}`)
}

/** Has the lease of a running job begin anew. @throws FencedError when it was lost */
export async function renewJob(db: Db, job: LeasedJob, leaseMs: number): Promise<void> {
  const { numAffectedRows } = await sql`update jobs set due = ${dueIn(db, leaseMs)}
    where kind = ${job.kind} and key = ${job.key} and token = ${job.token}`.execute(db)
  if (!numAffectedRows) throw new FencedError(`Another holder has the job ${job.kind} ${job.key}`)
}

/** End of a run: the job is done, or it runs again after a time. */
export type Outcome = 'done' | { readonly againMs: number }

/**
 * Ends a run. A job that was scheduled meanwhile runs again.
 * @returns time until the next run, milliseconds; null when the job is removed
 * @throws FencedError when the lease was lost
 */
export async function finishJob(db: Db | Trx, job: LeasedJob, outcome: Outcome): Promise<number | null> {
  const isMine = sql`kind = ${job.kind} and key = ${job.key} and token = ${job.token}`
  if (outcome === 'done') {
    const ended = await sql`delete from jobs where ${isMine} and again is null`.execute(db)
    if (ended.numAffectedRows) return null
  }
  const own = outcome === 'done' ? null : dueIn(db, outcome.againMs)
  const due = own === null ? sql`again` : least(db, sql`coalesce(again, ${own})`, own)
  const { rows } = await sql<{
    ms: number
  }>`update jobs set due = ${due}, again = null, urgent = null, token = 0, attempts = 0,
    deaths = 0, error = null where ${isMine} returning due - ${databaseNow(db)} as ms`.execute(db)
  if (!rows[0]) throw new FencedError(`Another holder has the job ${job.kind} ${job.key}`)
  return Math.max(0, rows[0].ms)
}

/**
 * Ends a run that failed. A schedule that skips the backoff and came during the run still does.
 * @param againMs time until the next run; null parks the job
 * @param error text for the operator, without secrets
 * @returns false when the lease was lost
 */
export async function failJob(db: Db | Trx, job: LeasedJob, againMs: number | null, error: string): Promise<boolean> {
  const own = againMs === null ? null : dueIn(db, againMs)
  const { numAffectedRows } = await sql`update jobs
    set due = ${own && least(db, sql`coalesce(urgent, ${own})`, own)}, again = null, urgent = null, token = 0,
    attempts = attempts - ${job.isLost ? 1 : 0}, error = ${error}
    where kind = ${job.kind} and key = ${job.key} and token = ${job.token}`.execute(db)
  return Boolean(numAffectedRows)
}

/** When kinds have work. */
export interface DueTimes {
  /** Time until the earliest run by kind, milliseconds; negative: overdue. */
  readonly byKind: ReadonlyMap<string, number>
  /** A job whose lease expired several times is due. */
  readonly hasSuspect: boolean
}

/** Finds when kinds have work, in one statement. */
export async function findDueTimes(db: ReadDb, kinds: readonly string[]): Promise<DueTimes> {
  const suspect = sql`select '' as kind, min(due) as due from jobs where ${isSuspect(kinds)}`
  const each = kinds.map(
    (kind) => sql`select ${kind} as kind, min(due) as due from jobs where kind = ${kind} and due is not null`,
  )
  const { rows } = await sql<{ kind: string; ms: number }>`select kind, due - ${databaseNow(db)} as ms
    from (${sql.join([suspect, ...each], sql` union all `)}) as t where due is not null`.execute(db)
  const byKind = new Map(rows.map(({ kind, ms }) => [kind, ms]))
  return { byKind, hasSuspect: (byKind.get('') ?? 1) <= 0 }
}

/** Returns the failure of a parked job; undefined when it is not parked. */
export async function findParkedError(db: ReadDb, kind: string, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ error: string | null }>`select error from jobs
    where kind = ${kind} and key = ${key} and due is null`.execute(db)
  return rows[0] && (rows[0].error ?? '')
}

/** A job that needs the operator: parked, or failed at least three times in a row. */
export interface TroubledJob {
  readonly kind: string
  readonly key: string
  /** Runs since the last success, the running one included. */
  readonly attempts: number
  readonly error: string
  /** No run follows before the operator requests one. */
  readonly isParked: boolean
  readonly isRunning: boolean
  /** Start of the next run, Unix milliseconds; null for a parked and for a running job. */
  readonly due: number | null
}

/** Condition: the last run failed, and the job is parked or failed at least three times. */
const isTroubled = sql`error is not null
  and (due is null or attempts - case when token <> 0 then 1 else 0 end >= 3)`

/** Lists jobs that need the operator; parked ones first. */
export async function listTroubledJobs(db: ReadDb, limit: number): Promise<TroubledJob[]> {
  interface Row extends Pick<TroubledJob, 'kind' | 'key' | 'attempts' | 'error' | 'due'> {
    readonly token: number
  }
  const { rows } = await sql<Row>`select kind, key, attempts, error, due, token from jobs where ${isTroubled}
    order by case when due is null then 0 else 1 end, kind, key limit ${limit}`.execute(db)
  return rows.map(({ token, due, ...row }) => {
    const isRunning = token !== 0
    return { ...row, isParked: due === null, isRunning, due: isRunning ? null : due }
  })
}

/** Returns the numbers of parked jobs, and of jobs that failed at least three times and run again. */
export async function countTroubledJobs(db: ReadDb): Promise<{ readonly parked: number; readonly retrying: number }> {
  const { rows } = await sql<{ parked: number; total: number }>`select count(*) as total,
    count(case when due is null then 1 end) as parked from jobs where ${isTroubled}`.execute(db)
  const { parked, total } = rows[0] ?? { parked: 0, total: 0 }
  return { parked, retrying: total - parked }
}

/** A job as its last run left it. */
export type FailedJob = Pick<TroubledJob, 'kind' | 'key' | 'attempts' | 'error'>

const isFailed = (kind: string, key: string) => sql`kind = ${kind} and key = ${key} and token = 0 and error is not null`

/** Makes a parked or failing job due now. @returns undefined when there is none, or it runs */
export async function updateJobDue(trx: Trx, kind: string, key: string): Promise<FailedJob | undefined> {
  const { rows } = await sql<FailedJob>`update jobs set due = ${databaseNow(trx)}, deaths = 0
    where ${isFailed(kind, key)} returning kind, key, attempts, error`.execute(trx)
  if (rows[0] && !isSqlite(trx)) await sql`select ${notification(jobsChannel, sql`${`${kind} 0`}`)}`.execute(trx)
  return rows[0]
}

/**
 * Removes a failing job that does not run. A periodic job, whose key is empty, stays: its work would end until the next start.
 * @returns undefined when there is none
 */
export async function removeJob(trx: Trx, kind: string, key: string): Promise<FailedJob | undefined> {
  const { rows } = await sql<FailedJob>`delete from jobs where ${isFailed(kind, key)} and key <> ''
    returning kind, key, attempts, error`.execute(trx)
  return rows[0]
}

const dueIn = (db: Db | Trx, ms: number) => sql<number>`${databaseNow(db)} + ${Math.max(0, Math.round(ms))}`

/** The smaller of two values. SQLite calls it `min`. */
const least = (db: Db | Trx, a: RawBuilder<unknown>, b: RawBuilder<unknown>) =>
  isSqlite(db) ? sql`min(${a}, ${b})` : sql`least(${a}, ${b})`

/** End of a `select` that takes rows which no other replica takes. */
const skipLocked = (db: Db) => (isSqlite(db) ? sql`` : sql`for update skip locked`)
