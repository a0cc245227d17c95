// Jobs: work that is due once, retried, and done. Kinds of jobs, and the runner that any number of replicas may run.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import {
  scheduleJob,
  checkMs,
  failJob,
  FencedError,
  findDueTimes,
  finishJob,
  insertJobs,
  jobsChannel,
  leaseJob,
  leaseJobs,
  type LeasedJob,
  leaseSuspect,
  lockJob,
  type Outcome,
  renewJob,
} from '#server/db/jobs.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Signals } from '#server/db/signals.ts'
import { transaction } from '#server/db/transaction.ts'
import type { Services } from './context.ts'
import { RuleError } from './errors.ts'

/** One run of a job. */
export interface Job {
  readonly key: string
  /** Runs since the last success, this one included. */
  readonly attempts: number
  /** Locks the job until the transaction ends. @throws FencedError when another replica took it */
  fence(trx: Trx): Promise<void>
  /** Begins the lease anew, for long work in steps. @throws FencedError as `fence`: the work must end */
  renew(): Promise<void>
  /** Ends the run in the handler's own transaction, so that effect and end commit together. @throws FencedError as `fence` */
  finish(trx: Trx, outcome: Outcome): Promise<void>
}

/**
 * A kind of jobs. A kind and a key name one piece of work, and one run of it at a time.
 * @typeParam S services that its runs use
 */
export interface JobKind<S = Services> {
  /** Name in the table: area and work, such as `billing.refund`. */
  readonly kind: string
  /** Duration of a lease, milliseconds. A run that is neither over nor renewed shortly before its end has failed. */
  readonly leaseMs: number
  /** Runs at a time in one replica. */
  readonly atOnce: number
  /** Delay after a failed run. */
  readonly backoff: Backoff
  /** Failed runs in a row after which the job waits for the operator. */
  readonly parkAfter: number | 'never'
  /** Periodic: time between two runs, milliseconds. The only key is ''. */
  readonly everyMs?: number
  /** Keys that must have a job, compared with the table at start and each hour. */
  missing?(db: Db, services: S): Promise<readonly string[]>
  /**
   * Runs a job. A run may be repeated after any of its steps.
   * @returns when the job runs again; 'done' ends it, and begins the next period of a periodic one
   */
  run(services: S, job: Job): Promise<Outcome>
}

/** Kind of the jobs that a parked job schedules. The key is `jobName` of the parked job. */
export const parkedKind = { kind: 'jobs.parked' } as const

/** Returns kind and key of a job as one text. */
export const jobName = ({ kind, key }: Pick<LeasedJob, 'kind' | 'key'>): string => [kind, key].filter(Boolean).join(' ')

/** Returns the outcome of a run whose next work is due at a time of the service's clock, ISO 8601; null: none. */
export const outcomeOf = (due: string | null, now: Date): Outcome =>
  due === null ? 'done' : { againMs: Math.max(0, Date.parse(due) - now.getTime()) }

/** Services that the runner itself uses. */
type RunServices = Pick<Services, 'db' | 'log'>

export interface JobRunner {
  start(): void
  /**
   * Runs due jobs until none is due, beside `start` or without it.
   * @param kinds names; default: all
   * @returns the number of runs
   */
  runDue(kinds?: readonly string[]): Promise<number>
  /** Leases no further jobs, and waits for the running ones. */
  stop(): Promise<void>
}

interface RunnerOptions {
  readonly services: Services
  readonly signals: Signals
  readonly kinds: readonly JobKind[]
}

const netEveryMs = 3_600_000

/** Inserts jobs that should exist and do not: a net, and the first fill after a migration. */
const netOf = (kinds: readonly JobKind[]): JobKind => ({
  kind: 'jobs.missing',
  leaseMs: 300_000,
  atOnce: 1,
  backoff: { firstMs: 60_000, mostMs: netEveryMs },
  parkAfter: 'never',
  everyMs: netEveryMs,
  async run(services) {
    const { db } = services
    for (const { kind, missing } of kinds) if (missing) await insertJobs(db, kind, await missing(db, services))
    return 'done'
  },
})

/** A kind and its runs in this replica. */
interface Pool extends JobKind {
  readonly running: Set<Promise<void>>
  /** The last lease took as many jobs as may run: more may be due. */
  hasMore: boolean
  leasing: Promise<number> | null
  /** Jobs became due during a lease. */
  isStale: boolean
}

/** Leases jobs and runs them, within the limits of their kinds. */
interface Pools {
  readonly names: readonly string[]
  /** Leases and begins as many jobs of a kind as may run. @returns the number of runs */
  pump(name: string): Promise<number>
  /**
   * Runs a job whose lease expired several times, one at a time: a job that another one ended twice, with the process, does not
   * run beside it again.
   * @returns whether there was one
   */
  runSuspect(): Promise<boolean>
  /** Waits for the running jobs, and for those that are being leased. */
  settle(): Promise<void>
}

const poolOf = (kind: JobKind): Pool => ({
  ...kind,
  running: new Set(),
  hasMore: false,
  leasing: null,
  isStale: false,
})

/** @param onEnd called after a run, with the time until the next run of its kind, milliseconds; null when it has none */
function createPools(
  services: Services,
  kinds: readonly JobKind[],
  onEnd: (name: string, againMs: number | null) => void,
): Pools {
  const { db } = services
  const pools = new Map(kinds.map((kind): [string, Pool] => [kind.kind, poolOf(kind)]))
  let suspect: Promise<boolean> | null = null

  function begin(pool: Pool, leased: LeasedJob): Promise<void> {
    const run = runJob(services, pool, leased).then((againMs) => {
      pool.running.delete(run)
      onEnd(pool.kind, pool.hasMore ? 0 : againMs)
    })
    pool.running.add(run)
    return run
  }

  async function lease(pool: Pool): Promise<number> {
    let begun = 0
    while (pool.isStale) {
      const free = pool.atOnce - pool.running.size
      pool.isStale = false
      pool.hasMore = true
      if (free <= 0) return begun
      const jobs = await leaseJobs(db, pool.kind, pool.leaseMs, free)
      for (const job of jobs) void begin(pool, job)
      begun += jobs.length
      pool.hasMore = jobs.length === free
      pool.isStale ||= pool.hasMore
    }
    return begun
  }

  async function settle(): Promise<void> {
    for (const { leasing } of pools.values()) await leasing?.catch(() => undefined)
    const running = [...pools.values()].flatMap((pool) => [...pool.running])
    await Promise.all(suspect ? [...running, suspect] : running)
  }

  async function runOneSuspect(): Promise<boolean> {
    const free = [...pools.values()].filter(({ running, atOnce }) => running.size < atOnce)
    const job = await leaseSuspect(db, new Map(free.map(({ kind, leaseMs }) => [kind, leaseMs])))
    const pool = job && pools.get(job.kind)
    if (pool) await begin(pool, job)
    return Boolean(pool)
  }

  return {
    names: [...pools.keys()],
    settle,
    async pump(name) {
      const pool = pools.get(name)
      if (!pool) return 0
      pool.isStale = true
      // Two leases at a time would count the same free places.
      if (pool.leasing) return 0
      return await (pool.leasing = lease(pool).finally(() => (pool.leasing = null)))
    },
    runSuspect: () => (suspect ??= runOneSuspect().finally(() => (suspect = null))),
  }
}

/**
 * Creates the runner of a replica. Before `start` it runs nothing but `runDue`.
 * @param options.kinds all kinds; names are unique
 */
export function createJobRunner({ services, signals, kinds: given }: RunnerOptions): JobRunner {
  const net = netOf(given)
  const kinds = [...given, net]
  const { db, log } = services
  let isRunning = false
  let interval: NodeJS.Timeout | undefined
  let alarm: { readonly at: number; readonly timer: NodeJS.Timeout } | null = null
  let checking: Promise<void> | null = null
  let isStale = false

  const report = (error: unknown) => log.error({ err: error }, 'Jobs could not be leased')
  const pools = createPools(services, kinds, wake)

  /** Leases jobs of a kind after a time, milliseconds. The interval covers times beyond it. */
  function wake(name: string, inMs: number | null): void {
    if (!isRunning || inMs === null || inMs > checkMs) return
    if (inMs <= 0) return void pools.pump(name).catch(report)
    const at = performance.now() + inMs
    if (alarm && alarm.at <= at) return
    clearTimeout(alarm?.timer)
    const ring = () => {
      alarm = null
      look()
    }
    alarm = { at, timer: setTimeout(ring, Math.max(1, inMs)).unref() }
  }

  async function check(): Promise<void> {
    do {
      isStale = false
      const { byKind, hasSuspect } = await findDueTimes(db, pools.names)
      if (hasSuspect) void pools.runSuspect().then((hadOne) => hadOne && look(), report)
      for (const [name, ms] of byKind) wake(name, ms)
    } while (isStale && isRunning)
  }

  function look(): void {
    if (!isRunning) return
    isStale = true
    checking ??= check()
      .catch(report)
      .finally(() => (checking = null))
  }

  const ensure = async () => {
    for (const { kind, everyMs } of kinds) if (everyMs !== undefined) await insertJobs(db, kind, [''])
  }

  signals.subscribe(jobsChannel, (payload) => {
    const [name = '', ms = '0'] = payload.split(' ')
    wake(name, Number(ms))
  })
  signals.onConnection((isConnected) => isConnected && look())

  return {
    start() {
      isRunning = true
      interval = setInterval(look, checkMs).unref()
      const ready = ensure().then(() => transaction(db, (trx) => scheduleJob(trx, net)))
      checking = ready.catch(report).finally(() => {
        checking = null
        look()
      })
    },
    async runDue(names) {
      await ensure()
      for (let total = 0; ;) {
        let count = 0
        for (const name of pools.names) if (!names || names.includes(name)) count += await pools.pump(name)
        await pools.settle()
        while (await pools.runSuspect()) count++
        total += count
        if (count === 0) return total
      }
    },
    async stop() {
      isRunning = false
      clearInterval(interval)
      clearTimeout(alarm?.timer)
      await checking
      await pools.settle()
    },
  }
}

/**
 * Runs a job now in this replica, due or not. When it runs elsewhere, that run is followed by another one.
 * A failure is stored and retried as that of any run.
 */
export async function runNow<S extends RunServices>(
  services: S,
  kind: JobKind<S>,
  key: string | number,
): Promise<void> {
  const leased = await leaseJob(services.db, kind.kind, String(key), kind.leaseMs)
  if (leased) await runJob(services, kind, leased)
  else await transaction(services.db, (trx) => scheduleJob(trx, kind, key, { skipsBackoff: true }))
}

/** Runs a leased job and ends it. Never throws. @returns time until its next run, milliseconds; null when it has none */
async function runJob<S extends RunServices>(services: S, kind: JobKind<S>, leased: LeasedJob): Promise<number | null> {
  const { db, log } = services
  const about = { kind: leased.kind, key: leased.key, attempts: leased.attempts }
  let finished = null as { readonly againMs: number | null } | null
  const limit = limitOf(kind)
  const job: Job = {
    key: leased.key,
    attempts: leased.attempts,
    fence: (trx) => lockJob(trx, leased),
    async renew() {
      await renewJob(db, leased, kind.leaseMs)
      limit.renew()
    },
    async finish(trx, outcome) {
      finished = { againMs: await finishJob(trx, leased, periodic(kind, outcome)) }
    },
  }
  try {
    if (leased.isLost) throw new Error('The process ended, or the lease expired, during the last runs')
    const outcome = await limit.hold(kind.run(services, job))
    // The transaction of `finish` may have been rolled back: then the run ends here.
    return await finishJob(db, leased, periodic(kind, outcome)).catch((error: unknown) => {
      if (finished && error instanceof FencedError) return finished.againMs
      throw error
    })
  } catch (error) {
    if (error instanceof FencedError) {
      log.warn(about, 'A job was taken over during its run')
      return null
    }
    const attempts = leased.attempts - (leased.isLost ? 1 : 0)
    const isParked = kind.parkAfter !== 'never' && attempts >= kind.parkAfter
    const againMs = isParked ? null : backoffMs(kind.backoff, attempts)
    if (error instanceof RuleError) log.warn({ ...about, failure: error.name }, 'A job failed')
    else log.error({ ...about, err: error, isParked }, 'A job failed')
    const storeFailure = isParked
      ? transaction(db, async (trx) => {
          if (await failJob(trx, leased, null, textOf(error))) await scheduleJob(trx, parkedKind, jobName(leased))
        })
      : failJob(db, leased, againMs, textOf(error))
    await storeFailure.catch((failure: unknown) =>
      log.error({ ...about, err: failure }, 'The failure of a job could not be stored'),
    )
    return againMs
  }
}

/** Part of a lease after which its run has failed: the failure is stored before another replica takes the job. */
const runShare = 0.9

/** Limits a run to its lease: one that hangs must not keep its place, or the runner from ending. */
function limitOf({ leaseMs }: Pick<JobKind, 'leaseMs'>) {
  const late = Promise.withResolvers<never>()
  const fail = () => late.reject(new Error('The run took longer than its lease'))
  let timer: NodeJS.Timeout | undefined
  return {
    /** Waits for a run until shortly before its lease ends. */
    hold(run: Promise<Outcome>): Promise<Outcome> {
      timer = setTimeout(fail, leaseMs * runShare)
      return Promise.race([run, late.promise]).finally(() => clearTimeout(timer))
    },
    /** The lease began anew. */
    renew: () => void timer?.refresh(),
  }
}

const periodic = ({ everyMs }: Pick<JobKind, 'everyMs'>, outcome: Outcome): Outcome =>
  outcome === 'done' && everyMs !== undefined ? { againMs: everyMs } : outcome

/** Text of an error for the operator. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500)
