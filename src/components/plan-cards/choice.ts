// Selection in the catalogue, stored in the URL so that it survives a reload and can be shared.
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import { type Period, periodNames, type RestreamSlot } from '#contract/entities/plan.ts'

/** Settings of a flexible plan. */
export type Setting = 'channels' | 'bitrate'

/** Selection as stored in the URL; null for no selection. Bitrate in kbps. */
export interface Choice {
  readonly period: Period
  readonly planId: number | null
  readonly channels: number | null
  readonly bitrate: number | null
  /** Transcoders or GB of an add-on line. */
  readonly units: number | null
  /** Promo code of the purchase, so that a link can contain it. */
  readonly code: string | null
}

/** Allowed values of a setting. */
export interface Range {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Reads the selection from the URL; invalid values fall back to defaults. */
export const readChoice = (params: URLSearchParams): Choice => ({
  period: periodNames.find((name) => name === params.get('period')) ?? 'month',
  planId: whole(params.get('plan')),
  channels: whole(params.get('channels')),
  bitrate: whole(params.get('bitrate')),
  units: whole(params.get('units')),
  code: params.get('code')?.trim() || null,
})

/** URL parameters with the selection. Keeps other parameters and omits defaults. */
export function writeChoice(params: URLSearchParams, choice: Choice): URLSearchParams {
  const next = new URLSearchParams(params)
  const values = {
    period: choice.period === 'month' ? null : choice.period,
    plan: choice.planId,
    channels: choice.channels,
    bitrate: choice.bitrate,
    units: choice.units,
    code: choice.code,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

/** Returns whether the plan is for sale. The free plan starts automatically; an archived one can be prolonged where it runs. */
export const isForSale = ({ type, active, status, price }: RestreamOffer): boolean =>
  type !== 'free' && (active || (status === 'current' && price.month > 0))

/** Range of a setting, or null for a plan without that setting. */
export function rangeOf(offer: RestreamOffer, setting: Setting): Range | null {
  if (offer.type !== 'paid_flex') return null
  const [min, max, step] =
    setting === 'channels'
      ? [offer.count_channel_min, offer.count_channel_max, offer.count_channel_step]
      : [offer.bitrate_min, offer.bitrate_max, offer.bitrate_step]
  return typeof min === 'number' && typeof max === 'number' && step && max > min ? { min, max, step } : null
}

/** Nearest allowed value. */
export function snap(value: number, { min, max, step }: Range): number {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step)
  return min + Math.min(steps, Math.floor((max - min) / step)) * step
}

/** Selected settings of a plan; empty for a fixed plan. */
export interface Settings {
  readonly channels?: number
  readonly bitrate?: number
}

/**
 * Settings of a flexible plan: the selected values, else those of the running plan, else the minimum. The selection
 * applies to all flexible plans, so that viewing another plan does not reset it.
 */
export function settingsOf(offer: RestreamOffer, choice: Choice, running: RestreamSlot | null | undefined): Settings {
  const runs = running?.id === offer.plan_restream_id ? running : null
  return {
    ...setting('channels', rangeOf(offer, 'channels'), choice.channels ?? runs?.channel_max),
    ...setting('bitrate', rangeOf(offer, 'bitrate'), choice.bitrate ?? runs?.bitrate_max),
  }
}

const setting = (name: Setting, range: Range | null, wanted: number | null | undefined): Settings =>
  range ? { [name]: snap(wanted ?? range.min, range) } : {}

function whole(text: string | null): number | null {
  const value = Number(text)
  return text !== null && Number.isSafeInteger(value) && value > 0 ? value : null
}
