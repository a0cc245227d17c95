// Renewals as owners see them: what the next one costs, where its money comes from, and why it will fail.
import type { Language } from '#contract/core/wire.ts'
import { type LineName, lineNames } from '#contract/entities/plan.ts'
import type { Services } from '#server/core/context.ts'
import { listMethods, type MethodRow } from '#server/domain/billing/payments/store.ts'
import { getCurrency, getDebt } from '#server/domain/money/store.ts'
import { findSuspension } from '#server/domain/projects/store.ts'
import { isBought } from '#server/domain/tariffs/subscriptions-rules.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import type { Slots, Sold } from '#server/domain/tariffs/subscriptions-slots.ts'
import { findRenewal } from '#server/domain/tariffs/subscriptions-store.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { titleIn } from '#server/domain/tariffs/store.ts'
import { chargedFor } from './charge.ts'
import { type Plan, planOfRenewal } from './plan.ts'
import { mayCharge, tryAt } from './rules.ts'
import { findRenewalOf, type RenewalRow } from './store.ts'

type Part = Pick<Services, 'db' | 'clock' | 'config'> & { readonly language: Language }

/** Reasons for which a renewal will fail, as far as they are known before it is tried. */
type Obstacle = 'DebtOpen' | 'no_method' | 'price_not_announced' | 'suspended'

/** Source of the money of the next renewal, minor units. */
interface Funding {
  readonly from_balance: number
  /** What the balance lacks. */
  readonly missing: number
  /** Charged to the default method: `missing`, or the minimum of the pay system; 0: nothing. */
  readonly charge: number
  readonly obstacle: Obstacle | null
}

const unfunded: Funding = { from_balance: 0, missing: 0, charge: 0, obstacle: null }

/** Returns the renewals of the running plans. They take from one balance, in the order of their dates. */
export async function listForecasts(services: Part, projectId: number) {
  const found = await Promise.all(lineNames.map((line) => findForecast(services, projectId, line)))
  const renewals = found.filter((one) => one !== null)
  const [method] = await listMethods(services.db, projectId)
  const currency = await getCurrency(services.db, projectId)
  const general = await generalObstacle(services, projectId)
  let spent = 0
  const funded = new Map<LineName, Funding>()
  for (const { line, plan, row, next } of renewals.toSorted((a, b) => (a.next ?? '').localeCompare(b.next ?? ''))) {
    if (plan === null || next === null) continue
    const obstacle = general ?? priceObstacle(plan, row, next)
    const funding = fundingOf(services, { plan, method, obstacle, spendable: plan.spendable - spent })
    if (funding.obstacle === null) spent += plan.price - funding.charge
    funded.set(line, funding)
  }
  return renewals.map(({ line, title, end, enabled, plan, reason, next }) => ({
    line,
    title,
    date_end: end,
    enabled,
    amount: plan?.price ?? null,
    currency,
    reason,
    date_next: next,
    method: method?.title ?? null,
    ...(funded.get(line) ?? unfunded),
  }))
}

async function findForecast({ db, clock, language }: Part, projectId: number, line: LineName) {
  const { slots } = await readState(db, clock, projectId, line)
  const { current }: Slots<Sold> = slots
  if (!isBought(current)) return null
  const { end } = current
  const enabled = await findRenewal(db, projectId, line)
  const row = enabled ? await findRenewalOf(db, { projectId, line, end }) : undefined
  const found = enabled ? await planOfRenewal(db, clock, { projectId, line, end }) : null
  const isStopped = row !== undefined && row.state !== 'waiting'
  return {
    line,
    title: titleIn(await lineOf(line).plan(db, current.planId), language),
    end,
    enabled,
    row,
    plan: found?.outcome === 'plan' ? found : null,
    reason: row?.reason ?? (found?.outcome === 'off' ? found.reason : null),
    next: !enabled || isStopped ? null : (row?.date_next ?? tryAt(end, 0)),
  }
}

async function generalObstacle({ db }: Part, projectId: number): Promise<Obstacle | null> {
  if (await findSuspension(db, projectId)) return 'suspended'
  return (await getDebt(db, projectId)) > 0 ? 'DebtOpen' : null
}

/** A price that rose after its notice is not charged. */
const priceObstacle = ({ price, last }: Plan, row: RenewalRow | undefined, next: string): Obstacle | null =>
  row === undefined || mayCharge({ price, last, announced: row.announced_minor, announcedAt: row.date_announced }, next)
    ? null
    : 'price_not_announced'

function fundingOf(
  services: Part,
  {
    plan: { price },
    method,
    obstacle,
    spendable,
  }: {
    readonly plan: Plan
    readonly method: MethodRow | undefined
    readonly obstacle: Obstacle | null
    readonly spendable: number
  },
): Funding {
  const from_balance = Math.min(price, Math.max(0, spendable))
  const missing = price - from_balance
  if (missing === 0 || obstacle !== null) return { from_balance, missing, charge: 0, obstacle }
  if (!method) return { from_balance, missing, charge: 0, obstacle: 'no_method' }
  return { from_balance, missing, charge: chargedFor(services, method, missing), obstacle: null }
}
