// Prices of plans, and settings of flexible plans: pure. Prices in minor units, bitrates in kbps.
import type { Language } from '#contract/core/wire.ts'
import { byPeriod, type Period, periodPrice, type PlanType } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { Allowance } from './subscriptions-slots.ts'

/** Range of a quantity of a flexible plan. Without a `step` the quantity is fixed at `max`. */
export interface Range {
  readonly min: number | null
  readonly max: number
  readonly step: number | null
}

/** Monthly price of the smallest setting, and of each step above it. */
export interface MonthlyPrice {
  readonly base: number
  readonly channelStep: number
  readonly bitrateStep: number
}

/** Names of a plan in the languages that have one of their own. */
export type Titles = Readonly<Partial<Record<Language, string>>>

/** A plan of the catalogue, as the rules use it. */
export interface Plan {
  readonly id: number
  readonly title: string
  readonly titles?: Titles
  readonly type: PlanType
  /** False: archived. Sold to no other project; a project continues, prolongs and renews the one that runs. */
  readonly active: boolean
  /** Position in the catalogue, smallest first. */
  readonly index: number
  readonly channels: Range
  readonly bitrate: Range
  /** Null: not for sale in that currency. */
  readonly prices: Readonly<Partial<Record<Currency, MonthlyPrice | null>>>
  readonly customChannels: boolean
  readonly customVideo: number
}

/** Discounts by period, in percent. */
export type Discounts = Readonly<Record<Period, number>>

/** Returns the price of each period after its discount, rounded half up to the minor unit. @param monthly price of a month */
export const pricesOf = (monthly: number, discounts: Discounts): Readonly<Record<Period, number>> =>
  byPeriod((period) => periodPrice(monthly, period, discounts[period]))

/** The requested quantities of a plan. Default: those of the running plan, or the smallest ones. */
export interface Wanted {
  readonly channels?: number | undefined
  /** kbps. */
  readonly bitrate?: number | undefined
  /** Transcoders at the same time. */
  readonly count?: number | undefined
  /** GB. */
  readonly size?: number | undefined
}

/** Returns the price of a setting for one month before discounts; null when the plan is not for sale in the currency. */
export function monthlyPrice(
  plan: Plan,
  { channels, bitrate }: Pick<Allowance, 'channels' | 'bitrate'>,
  currency: Currency,
): number | null {
  const price = plan.prices[currency]
  if (!price) return null
  return (
    price.base +
    stepsUp(plan.channels, channels) * price.channelStep +
    stepsUp(plan.bitrate, bitrate) * price.bitrateStep
  )
}

/** What a promo code takes off the price of a purchase: percent from 1 to 100, or minor units. */
export type Reduction = { readonly percent: number } | { readonly minor: number }

/** Returns a price less a reduction, never below 0; a percentage rounds the rest half up to the minor unit. */
export const reducedPrice = (price: number, reduction: Reduction): number =>
  'percent' in reduction ? Math.round((price * (100 - reduction.percent)) / 100) : Math.max(0, price - reduction.minor)

/** Returns the smallest setting of a plan. */
export const smallest = (plan: Omit<Plan, 'prices'>): Allowance =>
  allowance(plan, start(plan.channels), start(plan.bitrate))

/**
 * Returns the setting of a purchase.
 * @param running allowance of the project now: the default for omitted quantities, if it is the same plan
 * @returns the setting, or the name of the wrong parameter with its allowed values
 */
export function configure(
  plan: Plan,
  wanted: Wanted,
  running: Allowance,
): { readonly setting: Allowance } | { readonly wrong: 'channels' | 'bitrate'; readonly allowed: Range } {
  const usual = running.planId === plan.id && fits(plan, running) ? running : smallest(plan)
  const { channels = usual.channels, bitrate = usual.bitrate } = wanted
  if (!isIn(plan.channels, channels)) return { wrong: 'channels', allowed: plan.channels }
  if (!isIn(plan.bitrate, bitrate)) return { wrong: 'bitrate', allowed: plan.bitrate }
  return { setting: allowance(plan, channels, bitrate) }
}

const allowance = (plan: Omit<Plan, 'prices'>, channels: number, bitrate: number): Allowance => ({
  planId: plan.id,
  channels,
  bitrate,
  customChannels: plan.customChannels,
  customVideo: plan.customVideo,
})

const fits = (plan: Omit<Plan, 'prices'>, { channels, bitrate }: Allowance) =>
  isIn(plan.channels, channels) && isIn(plan.bitrate, bitrate)

const start = (range: Range): number => (range.step === null ? range.max : (range.min ?? range.max))

/** Returns whether a quantity is offered. */
export const isIn = (range: Range, value: number): boolean =>
  range.step === null
    ? value === range.max
    : value >= start(range) && value <= range.max && (value - start(range)) % range.step === 0

const stepsUp = (range: Range, value: number): number =>
  range.step === null ? 0 : Math.max(0, Math.ceil((value - start(range)) / range.step))
