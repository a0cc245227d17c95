// Plans of the lines that are bought in addition, transcoding and storage: pure. Each has one quantity with a price per unit.
import type { Currency } from '#contract/entities/project.ts'
import type { RestreamPlan } from '#contract/entities/plan.ts'
import { isIn, type Range, type Wanted } from './catalog-rules.ts'
import type { LinePlan } from './line.ts'
import type { Sold } from './subscriptions-slots.ts'

/** A plan that is sold by units. */
export interface UnitPlan extends LinePlan {
  readonly units: Range
  /** Monthly price of a unit, minor units. Null: not for sale in that currency. */
  readonly prices: Readonly<Partial<Record<Currency, number | null>>>
}

/** Transcoders that may run at the same time, and the largest output of each. */
export interface TranscodingAllowance extends Sold {
  readonly count: number
  readonly resolution: RestreamPlan['resolution']
  readonly fps: number
}

/** Space for recordings in addition to the restream plan, GB. */
export interface StorageAllowance extends Sold {
  readonly size: number
}

/** A transcoding plan, as the rules use it. */
export interface TranscodingPlan extends UnitPlan {
  readonly resolution: RestreamPlan['resolution']
  readonly fps: number
}

/** The storage of a project without a bought plan: none in addition. */
export const noStorage: StorageAllowance = { planId: 0, size: 0 }

/** The transcoding of a project while plans do not apply: as much as the installation allows. */
export const allTranscoding: TranscodingAllowance = { planId: 0, count: 1_000, resolution: '8K', fps: 60 }

/** Heights of resolutions in pixels, and widths of the largest frame. */
export const frameOf: Readonly<
  Record<RestreamPlan['resolution'], { readonly width: number; readonly height: number }>
> = {
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
  '2K': { width: 2560, height: 1440 },
  UW: { width: 3440, height: 1440 },
  '4K': { width: 3840, height: 2160 },
  '8K': { width: 7680, height: 4320 },
}

/**
 * Returns the units of a purchase.
 * @param running units of the running plan if it is the same one; null: another one, the default is the smallest
 */
export function unitsOf(
  { units }: UnitPlan,
  key: keyof Wanted,
  wanted: Wanted,
  running: number | null,
): { readonly units: number } | { readonly wrong: keyof Wanted; readonly allowed: Range } {
  const least = units.min ?? units.max
  const chosen = wanted[key] ?? (running !== null && isIn(units, running) ? running : least)
  return isIn(units, chosen) ? { units: chosen } : { wrong: key, allowed: units }
}

/** Returns the price of units for one month before discounts, minor units. */
export function unitPrice(plan: UnitPlan, units: number, currency: Currency): number | null {
  const price = plan.prices[currency] ?? null
  return price === null ? null : price * units
}

/** Returns the larger of two resolutions. */
export const largerResolution = (a: RestreamPlan['resolution'], b: RestreamPlan['resolution']) =>
  pixelsOf(a) >= pixelsOf(b) ? a : b

const pixelsOf = (resolution: RestreamPlan['resolution']) => frameOf[resolution].width * frameOf[resolution].height
