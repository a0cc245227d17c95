// Automatic renewals: each period is prolonged before its end from the balance (never the earned part), else from the saved
// method.
import { randomUUID } from 'node:crypto'
import type { LineName } from '#contract/entities/plan.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import { type Outcome, scheduleJob } from '#server/db/jobs.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { lineDetails, recordHistory } from '#server/domain/projects/history.ts'
import { listRenewals } from '#server/domain/tariffs/subscriptions-store.ts'
import { getDebt } from '#server/domain/money/store.ts'
import { buyIn } from '#server/domain/tariffs/subscriptions-change.ts'
import { listMethods } from '#server/domain/billing/payments/store.ts'
import { mayCharge, noticeBefore, passedTries, tryAt } from './rules.ts'
import { type Plan, planOfRenewal } from './plan.ts'
import {
  findLastTry,
  findRenewalOf,
  insertRenewal,
  insertTry,
  findWaitingRenewal,
  listWaitingRenewals,
  renewalKind,
  type RenewalRow,
  type TryRow,
  updateRenewal,
  updateTry,
} from './store.ts'
import { findSuspension } from '#server/domain/projects/store.ts'
import type { Trx } from '#server/db/open.ts'
import { planKind } from '#server/domain/notifications/kinds.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { amountText } from '#server/domain/money/decimal.ts'

/** Outcome of a charge. `none`: no method is saved. `wait`: the provider decides later. */
export type Charge =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'done'; readonly paymentId: number }
  | { readonly outcome: 'wait'; readonly paymentId: number }
  | {
      readonly outcome: 'declined'
      readonly paymentId: number | null
      readonly reason: string
      readonly final: boolean
    }

/** Charges the default method of a project. A settled charge is in the balance before `charge` returns `done`. */
export type Charger = (request: {
  readonly projectId: number
  readonly line: LineName
  /** Minor units that are missing in the balance. */
  readonly amountMinor: number
  /** The same key charges once; a repeated call returns the present state of that charge. */
  readonly key: string
}) => Promise<Charge>

/** Dependencies of renewals. */
export interface RenewalOptions extends Pick<Services, 'db' | 'clock'> {
  readonly charge: Charger
  /** Notified after each commit. */
  readonly onEvent: (event: RenewalEvent) => Promise<void> | void
}

const batch = 100
/** Interval of the checks of a charge that the provider has not decided, milliseconds. */
const pollMs = 600_000
/** Interval of the checks while plans do not apply, milliseconds. */
const offMs = 60_000

/** Kinds of the jobs of renewals. */
export interface RenewalKinds<S> {
  /** Creates the renewals of periods that end soon. */
  readonly preparation: JobKind<S>
  /** Tries a renewal. The key is the renewal. */
  readonly renewal: JobKind<S>
}

/**
 * Creates the kinds of jobs of renewals. While plans do not apply nothing is tried, and renewals continue when they apply again
 * before the end of the period.
 * @param optionsOf returns the dependencies of a run
 */
export const renewalKindsWith = <S>(optionsOf: (services: S) => RenewalOptions): RenewalKinds<S> => ({
  preparation: {
    kind: 'billing.renewals',
    leaseMs: 300_000,
    atOnce: 1,
    backoff: { ladderMs: [60_000] },
    parkAfter: 'never',
    everyMs: 60_000,
    async run(services) {
      const options = optionsOf(services)
      if ((await billingMode(options.db)) !== 'off') await prepare(options)
      return 'done'
    },
  },
  renewal: {
    ...renewalKind,
    leaseMs: 120_000,
    atOnce: 4,
    backoff: { ladderMs: [120_000] },
    parkAfter: 'never',
    missing: async (db) => (await listWaitingRenewals(db)).map(String),
    run: (services, job) => tryRenewal(optionsOf(services), job),
  },
})

async function tryRenewal(options: RenewalOptions, job: Job): Promise<Outcome> {
  const { db, clock } = options
  const row = await findWaitingRenewal(db, Number(job.key))
  if (!row) return 'done'
  if ((await billingMode(db)) === 'off') return { againMs: offMs }
  // A suspended project is not charged; its renewals continue when it is resumed before the end of the period.
  if (await findSuspension(db, row.project_id)) return { againMs: pollMs }
  const waitMs = Date.parse(row.date_next) - clock.now().getTime()
  return waitMs > 0 ? { againMs: waitMs } : await attempt({ ...options, job }, row)
}

/** Dependencies of a run. */
interface RunOptions extends RenewalOptions {
  readonly job: Job
}

/** Creates the renewals of periods whose notice is due, and notifies the owners of the price. */
async function prepare(options: RenewalOptions): Promise<void> {
  const { db, clock, onEvent } = options
  const now = iso(clock.now())
  for (const { projectId, line, end } of await listRenewals(db, iso(later(clock.now(), noticeBefore)), batch)) {
    if (end <= now || (await findRenewalOf(db, { projectId, line, end }))) continue
    const plan = await planOfRenewal(db, clock, { projectId, line, end })
    const tries = passedTries(end, now)
    const next = tryAt(end, tries)
    const event =
      plan.outcome === 'plan' ? ({ kind: 'ahead', projectId, line, end, plan, reason: null, next } as const) : null
    const isNew = await transaction(db, async (trx) => {
      const id = await insertRenewal(trx, {
        project_id: projectId,
        line,
        date_end: end,
        state: next === null ? 'stopped' : 'waiting',
        reason: next === null ? 'too_late' : null,
        announced_minor: plan.outcome === 'plan' ? plan.price : null,
        date_announced: now,
        tries,
        date_next: next ?? end,
      })
      if (id !== null && next !== null)
        await scheduleJob(trx, renewalKind, id, { inMs: Date.parse(next) - clock.now().getTime() })
      if (id !== null && event) await noticeRenewal(options, trx, event)
      return id !== null
    })
    if (isNew && event) await onEvent(event)
  }
}

async function attempt(options: RunOptions, row: RenewalRow): Promise<Outcome> {
  const { db, clock } = options
  const now = iso(clock.now())
  const { project_id: projectId, date_end: end } = row
  const { line } = row
  if (now >= end) return await stop(options, row, 'ended', null)
  const plan = await planOfRenewal(db, clock, { projectId, line, end })
  if (plan.outcome === 'off') return await stop(options, row, plan.reason, null)
  const earlier = await findLastTry(db, row.id)
  if (earlier?.state === 'open') return await charge(options, row, plan, earlier)
  // A charge would pay the debt instead of the plan.
  if ((await getDebt(db, projectId)) > 0) return await fail(options, row, plan, 'DebtOpen')
  const { price, last } = plan
  if (!mayCharge({ price, last, announced: row.announced_minor, announcedAt: row.date_announced }, now))
    return await fail(options, row, plan, 'price_not_announced')
  if (plan.spendable >= price) return await renew(options, row, plan)
  // The period was charged, and its money was spent on something else: a second charge would surprise.
  if (earlier?.state === 'done') return await stop(options, row, 'balance_spent', plan)
  const seq = (earlier?.seq ?? -1) + 1
  const values = { renewal_id: row.id, seq, key: randomUUID(), state: 'open', date_create: now }
  return await charge(options, row, plan, await insertTry(db, values))
}

/** Charges what the balance lacks, under the key of the try. */
async function charge(options: RunOptions, row: RenewalRow, plan: Plan, tried: TryRow): Promise<Outcome> {
  const { db, clock } = options
  const { line } = row
  const amountMinor = Math.max(plan.price - plan.spendable, 1)
  const charged = await options.charge({ projectId: row.project_id, line, amountMinor, key: tried.key })
  if (charged.outcome === 'none') {
    await updateTry(db, tried.id, { state: 'declined', reason: 'no_method' })
    return await fail(options, row, plan, 'no_method')
  }
  const { paymentId: payment_id } = charged
  if (charged.outcome === 'wait') {
    const outcome = { againMs: pollMs }
    await transaction(db, async (trx) => {
      await updateTry(trx, tried.id, { payment_id })
      await updateRenewal(trx, row.id, { date_next: iso(later(clock.now(), pollMs)) })
      await options.job.finish(trx, outcome)
    })
    return outcome
  }
  if (charged.outcome === 'done') {
    await updateTry(db, tried.id, { state: 'done', payment_id })
    return await renew(options, row, plan)
  }
  const { reason, final } = charged
  await updateTry(db, tried.id, { state: final ? 'final' : 'declined', reason, payment_id })
  return final ? await stop(options, row, reason, plan) : await fail(options, row, plan, reason)
}

/** Buys the next period from the bonus and the paid-in balance, unless the period has ended meanwhile. */
async function renew(options: RunOptions, row: RenewalRow, plan: Plan): Promise<Outcome> {
  const { db, clock, onEvent } = options
  const { project_id: projectId, date_end: end } = row
  const { line } = row
  const event = { kind: 'renewed', projectId, line, end, plan, reason: null, next: null } as const
  const request = {
    ...plan.request,
    quotedTotal: plan.price,
    from: ['bonus', 'payment'] as const,
    key: `renewal ${line} ${end}`,
  }
  try {
    const isDone = await projectTransaction(db, projectId, async (trx) => {
      if (iso(clock.now()) >= end) return false
      const { outcome } = await buyIn(trx, clock, request)
      if (outcome !== 'bought' && outcome !== 'repeated') return false
      await updateRenewal(trx, row.id, { state: 'done', reason: null })
      const details = { plan: plan.title, period: plan.request.period, ...lineDetails(line) }
      await recordHistory({ clock }, trx, { projectId, userId: null, action: 'plan_renewed', details })
      await noticeRenewal({ clock }, trx, event)
      await options.job.finish(trx, 'done')
      return true
    })
    if (!isDone) return await fail(options, row, plan, 'changed')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return await fail(options, row, plan, error.name)
  }
  await onEvent(event)
  return 'done'
}

/** Plans the next try; after the last one the renewal stops. */
async function fail(options: RunOptions, row: RenewalRow, plan: Plan, reason: string): Promise<Outcome> {
  const { db, clock, onEvent } = options
  const now = iso(clock.now())
  const tries = Math.max(row.tries + 1, passedTries(row.date_end, now))
  const next = tryAt(row.date_end, tries)
  if (next === null) return await stop(options, { ...row, tries }, reason, plan)
  const { project_id: projectId, date_end: end } = row
  const event = { kind: 'failed', projectId, line: row.line, end, plan, reason, next } as const
  const outcome = { againMs: Date.parse(next) - Date.parse(now) }
  await transaction(db, async (trx) => {
    await updateRenewal(trx, row.id, { reason, tries, date_next: next })
    await noticeRenewal(options, trx, event)
    await options.job.finish(trx, outcome)
  })
  await onEvent(event)
  return outcome
}

async function stop(options: RunOptions, row: RenewalRow, reason: string, plan: Plan | null): Promise<Outcome> {
  const { project_id: projectId, date_end: end } = row
  const event = { kind: 'stopped', projectId, line: row.line, end, plan, reason, next: null } as const
  await transaction(options.db, async (trx) => {
    await updateRenewal(trx, row.id, { state: 'stopped', reason, tries: row.tries })
    await noticeRenewal(options, trx, event)
    await options.job.finish(trx, 'done')
  })
  if (plan !== null) await options.onEvent(event)
  return 'done'
}

/** A change that owners are notified of. */
export interface RenewalEvent {
  readonly kind: 'ahead' | 'renewed' | 'failed' | 'stopped'
  readonly projectId: number
  readonly line: LineName
  readonly end: string
  readonly plan: Plan | null
  readonly reason: string | null
  /** Time of the next try; null: none. */
  readonly next: string | null
}

/** Writes the notification of a change. A renewal that was switched off has none. */
async function noticeRenewal(services: Pick<Services, 'clock'>, trx: Trx, event: RenewalEvent): Promise<void> {
  const { kind: change, projectId, line, end, plan, next, reason } = event
  if (plan === null) return
  const price = amountText(plan.price, plan.currency)
  const missing = change === 'ahead' ? await missingOf(trx, projectId, plan) : null
  const params = { line, plan: plan.title, date_end: end, price, missing, next, reason }
  const kind =
    change === 'renewed' ? planKind(line, 'renewed') : change === 'ahead' ? 'plan_renewal_ahead' : 'plan_renewal_failed'
  await notify(services, trx, { kind, projectId, ref: `${line}.${end}.${change}.${next ?? ''}`, params })
}

/** Returns what the balance lacks for a renewal as text; null: nothing, or a saved method is charged for it. */
async function missingOf(trx: Trx, projectId: number, { price, spendable, currency }: Plan): Promise<string | null> {
  const hasMethod = (await listMethods(trx, projectId)).length > 0
  return price <= spendable || hasMethod ? null : amountText(price - spendable, currency)
}
