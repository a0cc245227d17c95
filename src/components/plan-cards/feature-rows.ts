// Comparison table of the catalogue; pure functions.
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'

type Value = RestreamOffer['feature'][number]['value'] | undefined

/** Feature of a plan; `undefined` when the plan does not mention it. */
export interface Cell {
  readonly name: string
  readonly unit: string | undefined
  readonly value: Value
}

/** Feature across all plans, in plan order. */
export interface FeatureRow {
  readonly name: string
  readonly cells: readonly Cell[]
}

/** Plans in catalogue order. */
export const inOrder = (offers: readonly RestreamOffer[]): RestreamOffer[] =>
  offers.toSorted((a, b) => a.index - b.index || a.plan_restream_id - b.plan_restream_id)

/** Features with their own fields in an offer, shown whether or not the feature list repeats them. */
const ownFields = {
  count_channel_max: (offer: RestreamOffer): Value => offer.count_channel_max,
  bitrate_max: (offer: RestreamOffer): Value => offer.bitrate_max,
  support_custom_channel: (offer: RestreamOffer): Value => offer.support_custom_channel,
} as const
const isOwn = (name: string): name is keyof typeof ownFields => Object.hasOwn(ownFields, name)
const first: readonly string[] = ['count_channel_max', 'bitrate_max']

/** All features of all plans, once each: channels and bitrate first, the others in server order. */
export function featureRows(offers: readonly RestreamOffer[]): FeatureRow[] {
  const named = offers.flatMap(({ feature }) => feature).toSorted((a, b) => a.index - b.index)
  const unitOf = (name: string) => named.find((feature) => feature.name === name && feature.unit)?.unit
  const names = new Set([...first, ...named.map(({ name }) => name), ...Object.keys(ownFields)])
  return [...names].map((name) => ({
    name,
    cells: offers.map((offer) => ({
      name,
      unit: unitOf(name),
      value: isOwn(name)
        ? (ownFields[name](offer) ?? undefined)
        : offer.feature.find((feature) => feature.name === name)?.value,
    })),
  }))
}
