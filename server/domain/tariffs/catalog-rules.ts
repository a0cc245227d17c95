// What a plan costs and how a flexible one may be set: pure. Prices in minor units, bitrates in kbps.
import type { Period, PlanType } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { Allowance } from './subscriptions-slots.ts'
import { monthsIn } from './subscriptions-periods.ts'

/** A quantity that a flexible plan lets one choose. Where there is no `step`, it is fixed at `max`. */
export interface Range {
  readonly min: number | null
  readonly max: number
  readonly step: number | null
}

/** Price a month of the smallest setting, and of each step above it. */
export interface MonthlyPrice {
  readonly base: number
  readonly channelStep: number
  readonly bitrateStep: number
}

/** What the rules need to know of a row of the catalogue. */
export interface Plan {
  readonly id: number
  readonly title: string
  readonly type: PlanType
  /** Sold at present. A plan that no longer is runs on until its end, and can be neither bought nor prolonged. */
  readonly active: boolean
  /** Place in the catalogue, smallest first. */
  readonly index: number
  readonly channels: Range
  readonly bitrate: Range
  /** Null: not sold in that currency. */
  readonly prices: Readonly<Record<Currency, MonthlyPrice | null>>
  readonly customChannels: boolean
  readonly customVideo: number
}

/** Percent off the price of a period. */
export type Discounts = Readonly<Record<Period, number>>

/** What somebody chose of a flexible plan; what is left out is taken from the running plan, or is the smallest. */
export interface Wanted {
  readonly channels?: number | undefined
  readonly bitrate?: number | undefined
}

/** The price of a setting for one month before any discount, or null where the plan is not sold in the currency. */
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

/** The price of a whole period, discount taken off, rounded half up to the minor unit. */
export const periodPrice = (monthly: number, period: Period, discounts: Discounts): number =>
  Math.round((monthly * monthsIn[period] * (100 - discounts[period])) / 100)

/** The smallest setting of a plan. */
export const smallest = (plan: Plan): Allowance => allowance(plan, start(plan.channels), start(plan.bitrate))

/**
 * The setting that a purchase asks for.
 * @param running what the project has now; its setting stands for what is left out, if it is the same plan
 * @returns the setting, or which parameter is wrong and what it may be
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

const allowance = (plan: Plan, channels: number, bitrate: number): Allowance => ({
  planId: plan.id,
  channels,
  bitrate,
  customChannels: plan.customChannels,
  customVideo: plan.customVideo,
})

const fits = (plan: Plan, { channels, bitrate }: Allowance) =>
  isIn(plan.channels, channels) && isIn(plan.bitrate, bitrate)

const start = (range: Range): number => (range.step === null ? range.max : (range.min ?? range.max))

const isIn = (range: Range, value: number): boolean =>
  range.step === null
    ? value === range.max
    : value >= start(range) && value <= range.max && (value - start(range)) % range.step === 0

const stepsUp = (range: Range, value: number): number =>
  range.step === null ? 0 : Math.max(0, Math.ceil((value - start(range)) / range.step))
