// Plan of a project in a product line: reads its slots, and quotes a purchase. Purchases are in subscriptions-change.ts.
import type { LineName, Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { type Clock, iso, type Instant } from '#server/core/clock.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { pricesOf, reducedPrice, type Reduction, type Wanted } from './catalog-rules.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import type { Balance } from '#server/domain/money/balance.ts'
import type { Line, LinePlan } from './line.ts'
import { type Allowances, lineOf } from './lines.ts'
import { type Decision, decide, isBought, type Offer } from './subscriptions-rules.ts'
import { type Slots, slotsAt, type Sold } from './subscriptions-slots.ts'
import { listTerms, type StoredTerm } from './subscriptions-store.ts'
import { getDiscounts, listPeriods } from './store.ts'
import { getCurrency } from '#server/domain/money/store.ts'

/** The plans of a project in a line at a moment. */
export interface State<A extends Sold = Sold> {
  readonly slots: Slots<A>
  readonly now: Instant
}

/** A purchase to quote. Omitted quantities: those of the running plan, or the smallest. */
export interface PurchaseRequest extends Wanted {
  readonly projectId: number
  readonly line: LineName
  readonly planId: number
  readonly period: Period
  /** True: also in a period that is not sold, for gifts and purchases at an earlier quote. */
  readonly inAnyPeriod?: boolean | undefined
  /** Promo code of the purchase, whose `reduction` the caller provides. */
  readonly code?: string | undefined
  readonly reduction?: Reduction | undefined
}

/** Price and effects of a purchase at a moment. Money in minor units of `currency`. */
export interface Quote {
  readonly decision: Decision
  readonly plan: LinePlan
  readonly setting: Sold
  readonly period: Period
  /** Price of the chosen setting for each period, after its discount. */
  readonly prices: Readonly<Record<Period, number>>
  /** What a promo code takes off the price; 0 without a code. */
  readonly off: number
  readonly held: Balance
  readonly currency: Currency
  /** True when a plan was queued before the purchase. */
  readonly queued: boolean
  /** Moment of the quote. A purchase as of that moment costs the same while `mark` is the same. */
  readonly at: Instant
  /** Changes with the slots of the project, and with the list prices of the running and the chosen plan. */
  readonly mark: string
}

/** The plans of a project in several lines. */
export type States<L extends LineName> = { readonly [K in L]: State<Allowances[K]> }

/** Reads the slots of a project in a line. Correct at any moment, whether or not the job of plan ends has run. */
export async function readState<L extends LineName>(
  db: ReadDb,
  clock: Clock,
  projectId: number,
  line: L,
): Promise<State<Allowances[L]>> {
  const stateOf = await readStates(db, clock, [projectId], [line])
  return stateOf(projectId)[line]
}

/** Reads the slots of projects in lines; as many statements for any number of projects. @returns the states by project */
export async function readStates<L extends LineName>(
  db: ReadDb,
  clock: Clock,
  projectIds: readonly number[],
  lines: readonly L[],
): Promise<(projectId: number) => States<L>> {
  const terms = Map.groupBy(await listTerms(db, projectIds, lines), ({ projectId }) => projectId)
  const isOff = (await billingMode(db)) === 'off'
  const outside = new Map<L, Sold>()
  for (const line of lines) outside.set(line, await (isOff ? lineOf(line).everything(db) : lineOf(line).base(db)))
  const stateOf = (bought: readonly StoredTerm[], base: Sold): State => {
    const now = timeOf(clock, bought)
    return { now, slots: isOff ? everythingSlots(base) : slotsAt(bought, base, now) }
  }
  return (projectId) => {
    const own = (name: L) => (terms.get(projectId) ?? []).filter(({ line }) => line === name).map(({ term }) => term)
    // Terms and base have the allowance of their line.
    return Object.fromEntries([...outside].map(([line, base]) => [line, stateOf(own(line), base)])) as States<L>
  }
}

/** Returns the slots while plans do not apply. Bought terms stay stored, and their time passes. */
const everythingSlots = <A extends Sold>(everything: A): Slots<A> => ({
  before: null,
  current: { ...everything, id: null, start: null, end: null, periods: [] },
  next: null,
})

/** Quotes a purchase now. */
export async function quotePurchase(db: Db | Trx, clock: Clock, request: PurchaseRequest): Promise<Quote> {
  return assess(db, request, await readState(db, clock, request.projectId, request.line))
}

/**
 * Quotes a purchase in a given state. Both `quotePurchase` and `buyIn` use it, so that they agree.
 * @throws NotFoundError for a plan that the project may not see, RuleError for one that it cannot buy
 */
export async function assess(db: Db | Trx, request: PurchaseRequest, { slots, now }: State): Promise<Quote> {
  const { projectId, planId, period } = request
  const line: Line = lineOf(request.line)
  const notForSale = () => new RuleError('PlanNotForSale', { [line.planKey]: planId })
  if ((await billingMode(db)) === 'off') throw notForSale()
  const plan = (await line.plans(db, projectId)).find(({ id }) => id === planId)
  if (!plan) throw new NotFoundError('PlanNotFound')
  const currency = await getCurrency(db, projectId)
  const setting = settingOf(line, plan, request, slots.current)
  // An archived plan goes on where it runs.
  const isSold = plan.type !== 'free' && (plan.active || (isBought(slots.current) && slots.current.planId === planId))
  const monthly = isSold ? line.monthly(plan, setting, currency) : null
  if (monthly === null) throw notForSale()
  const prices = pricesOf(monthly, await getDiscounts(db, line.name))
  const listed = prices[period]
  const price = request.reduction ? reducedPrice(listed, request.reduction) : listed
  const running = await runningOffer(db, line, slots, currency)
  const decision = decide({ slots, running, chosen: offerOf(line, plan, setting, currency), period, price, now })
  if ('refused' in decision) {
    const data = { date_end_max: decision.endMax }
    throw new RuleError(decision.refused, data)
  }
  if (!request.inAnyPeriod && !continues(decision, slots.current, period)) await refuseUnsoldPeriod(db, period)
  const held = await getBalance(db, projectId)
  const mark = [markOf(slots), running?.monthly ?? '', price].join(' ')
  const queued = slots.next !== null
  return { decision, plan, setting, period, prices, off: listed - price, held, currency, queued, at: now, mark }
}

/** Returns whether a purchase prolongs a plan by the period that it runs in. */
const continues = ({ action }: Decision, current: Slots<Sold>['current'], period: Period): boolean =>
  action === 'prolongate' && current.periods.at(-1)?.period === period

async function refuseUnsoldPeriod(db: ReadDb, period: Period): Promise<void> {
  const isSold = (await listPeriods(db)).some(({ name, active }) => name === period && active === 1)
  if (!isSold) throw new RuleError('PeriodNotForSale', { period })
}

/** Returns the offer of the running plan at its current list price; null when nothing is bought. */
export async function runningOffer<A extends Sold>(
  db: Db | Trx,
  line: Line<A>,
  { current }: Slots<A>,
  currency: Currency,
): Promise<Offer | null> {
  return isBought(current) ? offerOf(line, await line.plan(db, current.planId), current, currency) : null
}

/** Returns a setting of a plan at its current list price; zero when the plan is not for sale in the currency. */
export const offerOf = <A extends Sold, P extends LinePlan>(
  line: Line<A, P>,
  plan: P,
  setting: A,
  currency: Currency,
): Offer => ({
  planId: plan.id,
  monthly: line.monthly(plan, setting, currency) ?? 0,
  index: plan.index,
  order: line.order(setting),
})

/** Identifies the slots of a project: changes with a purchase, a prolongation, a cancellation and an end. */
const markOf = ({ current, next }: Slots<Sold>): string =>
  [current, next].map((term) => (term && isBought(term) ? `${term.id}/${term.start}/${term.end}` : '-')).join(' ')

/**
 * Returns the time of a project in a line: the clock, but never earlier than its last purchase or handled end. Replicas
 * whose clocks differ by some milliseconds would otherwise see a plan bought on another replica as queued.
 */
function timeOf(clock: Clock, terms: readonly StoredTerm[]): Instant {
  const known = terms.flatMap(({ created, rolled }) => (rolled === null ? [created] : [created, rolled]))
  return known.reduce((latest, at) => (at > latest ? at : latest), iso(clock.now()))
}

function settingOf(line: Line, plan: LinePlan, wanted: Wanted, running: Sold): Sold {
  const result = line.configure(plan, wanted, running)
  if ('setting' in result) return result.setting
  const { wrong, allowed } = result
  throw new RuleError('SettingNotOffered', { parameter: wrong, ...allowed })
}
