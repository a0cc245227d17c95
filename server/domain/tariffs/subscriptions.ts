// Restream plan of a project: reads its slots, and quotes a purchase. Purchases are in subscriptions-change.ts.
import type { Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { type Clock, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { planOf, presentPlan } from './catalog.ts'
import { configure, type Discounts, monthlyPrice, periodPrice, type Plan, smallest } from './catalog-rules.ts'
import { getBalance } from './ledger.ts'
import type { Balance } from './balance.ts'
import type { Instant } from './subscriptions-periods.ts'
import { type Decision, decide, type Offer } from './subscriptions-rules.ts'
import { type Allowance, type Slots, slotsAt } from './subscriptions-slots.ts'
import { findLastPeriod, listTerms, type StoredTerm } from './subscriptions-store.ts'
import {
  getCurrency,
  getDiscounts,
  getEverythingPlan,
  getFreePlan,
  getPlan,
  listPlansFor,
  type PlanRow,
} from './store.ts'

/** The plans of a project at a moment. */
export interface State {
  readonly slots: Slots
  readonly now: Instant
}

/** A purchase to quote. */
export interface PurchaseRequest {
  readonly projectId: number
  readonly planId: number
  readonly period: Period
  /** Quantities of a flexible plan; default: those of the running plan, or the smallest. Bitrate in kbps. */
  readonly channels?: number | undefined
  readonly bitrate?: number | undefined
}

/** Price and effects of a purchase at a moment. Money in minor units of `currency`. */
export interface Quote {
  readonly decision: Decision
  readonly plan: PlanRow
  readonly setting: Allowance
  readonly period: Period
  /** Price of the chosen setting for either period, after the discount. */
  readonly prices: Readonly<Record<Period, number>>
  readonly held: Balance
  readonly currency: Currency
  /** True when a plan was queued before the purchase. */
  readonly queued: boolean
}

/** Reads the slots of a project. Correct at any moment, whether or not the job of plan ends has run. */
export async function readState(db: Db | Trx, clock: Clock, projectId: number): Promise<State> {
  const terms = await listTerms(db, projectId)
  const now = timeOf(clock, terms)
  if ((await billingMode(db)) === 'off') return { now, slots: await everythingSlots(db) }
  return { now, slots: slotsAt(terms, smallest(planOf(await getFreePlan(db))), now) }
}

/** Returns the slots while plans do not apply. Bought terms stay stored, and their time passes. */
async function everythingSlots(db: Db | Trx): Promise<Slots> {
  const everything = smallest(planOf(await getEverythingPlan(db)))
  return { before: null, current: { ...everything, id: null, start: null, end: null, periods: [] }, next: null }
}

/** Quotes a purchase now. */
export async function quotePurchase(db: Db | Trx, clock: Clock, request: PurchaseRequest): Promise<Quote> {
  return assess(db, request, await readState(db, clock, request.projectId))
}

/**
 * Quotes a purchase in a given state. Both `quotePurchase` and `buy` use it, so that they agree.
 * @throws NotFoundError for a plan that the project may not see, RuleError for one that it cannot buy
 */
export async function assess(db: Db | Trx, request: PurchaseRequest, { slots, now }: State): Promise<Quote> {
  const { projectId, planId, period } = request
  if ((await billingMode(db)) === 'off') throw notForSale(planId)
  const row = (await listPlansFor(db, projectId)).find(({ id }) => id === planId)
  if (!row) throw new NotFoundError('PlanNotFound', 'There is no such plan')
  const plan = planOf(row)
  const running = planOf(await getPlan(db, slots.current.planId))
  const currency = await getCurrency(db, projectId)
  const setting = settingOf(plan, request, slots.current)
  const monthly = plan.active && plan.type !== 'free' ? monthlyPrice(plan, setting, currency) : null
  if (monthly === null) throw notForSale(planId)
  const prices = pricesOf(monthly, await getDiscounts(db))
  const price = prices[period]
  const decision = decide({
    slots,
    running: offerOf(running, slots.current, currency),
    chosen: offerOf(plan, setting, currency),
    period,
    price,
    now,
  })
  if ('refused' in decision) {
    const data = { date_end_max: decision.endMax }
    throw new RuleError(decision.refused, 'The plan is already paid for as far ahead as possible', data)
  }
  const held = await getBalance(db, projectId)
  return { decision, plan: row, setting, period, prices, held, currency, queued: slots.next !== null }
}

const notForSale = (planId: number) =>
  new RuleError('PlanNotForSale', 'This plan cannot be bought', { plan_restream_id: planId })

/** Returns a setting of a plan at its current list price; zero when the plan is not for sale in the currency. */
export const offerOf = (plan: Plan, setting: Pick<Allowance, 'channels' | 'bitrate'>, currency: Currency): Offer => ({
  planId: plan.id,
  channels: setting.channels,
  bitrate: setting.bitrate,
  monthly: monthlyPrice(plan, setting, currency) ?? 0,
  index: plan.index,
  free: plan.type === 'free',
})

/** Returns the price of either period after the discount. */
export const pricesOf = (monthly: number, discounts: Discounts): Readonly<Record<Period, number>> => ({
  month: periodPrice(monthly, 'month', discounts),
  year: periodPrice(monthly, 'year', discounts),
})

/** Returns the running subscription, as project info embeds it (contract `ProjectInfo.restream`). */
export async function currentSubscription(
  {
    db,
    clock,
    config,
  }: Pick<Services, 'clock'> & { readonly db: Db | Trx; readonly config: Pick<Settings, 'recordLimitGb'> },
  projectId: number,
) {
  const { current } = (await readState(db, clock, projectId)).slots
  const last = current.id === null ? undefined : await findLastPeriod(db, current.id)
  return {
    plan2user: {
      plan_restream2user_id: current.id ?? 0,
      plan_restream_id: current.planId,
      date_end: current.end,
      date_start: current.start,
      date_create: last?.bought ?? current.start,
      period: last?.period ?? null,
      money_flow_uuid: last?.moneyFlowUuid ?? '',
      period_uuid: last?.uuid ?? '',
      status: 'active',
      prolongation: 0,
    },
    data: presentPlan(await getPlan(db, current.planId), await getDiscounts(db), config),
  }
}

/**
 * Returns the time of a project: the clock, but never earlier than its last purchase or handled end. Replicas whose clocks
 * differ by some milliseconds would otherwise see a plan bought on another replica as queued.
 */
function timeOf(clock: Clock, terms: readonly StoredTerm[]): Instant {
  const known = terms.flatMap(({ created, rolled }) => (rolled === null ? [created] : [created, rolled]))
  return known.reduce((latest, at) => (at > latest ? at : latest), iso(clock.now()))
}

function settingOf(plan: Plan, request: PurchaseRequest, running: Allowance): Allowance {
  const result = configure(plan, request, running)
  if ('setting' in result) return result.setting
  const { wrong, allowed } = result
  throw new RuleError('SettingNotOffered', `The plan does not offer this: ${wrong}`, { parameter: wrong, ...allowed })
}
