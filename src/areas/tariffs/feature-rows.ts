// The catalogue as rows that can be compared: pure.
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'

type Value = RestreamOffer['feature'][number]['value'] | undefined

/** One feature of one plan; `undefined` where the plan says nothing about it. */
export interface Cell {
  readonly name: string
  readonly unit: string | undefined
  readonly value: Value
}

/** One feature across all plans, in the order of the plans. */
export interface FeatureRow {
  readonly name: string
  readonly cells: readonly Cell[]
}

/** The plans in the order of the catalogue. */
export const inOrder = (offers: readonly RestreamOffer[]): RestreamOffer[] =>
  offers.toSorted((a, b) => a.index - b.index || a.plan_restream_id - b.plan_restream_id)

/** What an offer says in fields of its own: shown whether or not the server repeats it among the features. */
const ownFields = {
  count_channel_max: (offer: RestreamOffer): Value => offer.count_channel_max,
  bitrate_max: (offer: RestreamOffer): Value => offer.bitrate_max,
  support_custom_channel: (offer: RestreamOffer): Value => offer.support_custom_channel,
} as const
const isOwn = (name: string): name is keyof typeof ownFields => Object.hasOwn(ownFields, name)
const first: readonly string[] = ['count_channel_max', 'bitrate_max']

/** Every feature that any plan names, once: channels and bitrate first, the others in the order of the server. */
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
