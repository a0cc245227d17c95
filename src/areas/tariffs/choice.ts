// What somebody is looking at in the catalogue. It lives in the URL, so that it survives a reload and can be sent on.
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import type { Period, RestreamSlot } from '#contract/entities/plan.ts'

/** What a flexible plan lets one choose. */
export type Setting = 'channels' | 'bitrate'

/** The state of the catalogue as the URL holds it; null where nothing is chosen. Bitrate in kbps. */
export interface Choice {
  readonly period: Period
  readonly planId: number | null
  readonly channels: number | null
  readonly bitrate: number | null
}

/** The values that a setting may take. */
export interface Range {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Reads the choice; what makes no sense is as if it were not there. */
export const readChoice = (params: URLSearchParams): Choice => ({
  period: params.get('period') === 'year' ? 'year' : 'month',
  planId: whole(params.get('plan')),
  channels: whole(params.get('channels')),
  bitrate: whole(params.get('bitrate')),
})

/** The parameters with a choice written into them. Other parameters stay, and what is usual is left out. */
export function writeChoice(params: URLSearchParams, choice: Choice): URLSearchParams {
  const next = new URLSearchParams(params)
  const values = {
    period: choice.period === 'year' ? 'year' : null,
    plan: choice.planId,
    channels: choice.channels,
    bitrate: choice.bitrate,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

/** Can be bought. The free plan follows by itself, and one that is no longer sold only runs on. */
export const isForSale = (offer: RestreamOffer): boolean => offer.active && offer.type !== 'free'

/** The values of a setting, or null when the plan does not let one choose. */
export function rangeOf(offer: RestreamOffer, setting: Setting): Range | null {
  if (offer.type !== 'paid_flex') return null
  const [min, max, step] =
    setting === 'channels'
      ? [offer.count_channel_min, offer.count_channel_max, offer.count_channel_step]
      : [offer.bitrate_min, offer.bitrate_max, offer.bitrate_step]
  return typeof min === 'number' && typeof max === 'number' && step && max > min ? { min, max, step } : null
}

/** The nearest value that a setting may take. */
export function snap(value: number, { min, max, step }: Range): number {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step)
  return min + Math.min(steps, Math.floor((max - min) / step)) * step
}

/** What of a plan is chosen; a fixed plan has nothing to choose. */
export interface Settings {
  readonly channels?: number
  readonly bitrate?: number
}

/**
 * Settings of a flexible plan: those chosen, else those of the running plan, else the smallest. A choice holds for every
 * flexible plan, so that a look at another plan does not reset it.
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
