// Facts of a slot, and their difference from the previous slot.
import type { RestreamSlot } from '#contract/entities/plan.ts'

/** Facts of a slot in display order. */
export const facts = ['channel_max', 'bitrate_max', 'support_custom_channel', 'custom_video'] as const
export type Fact = (typeof facts)[number]

/** Returns whether a slot shows a fact. Own video files appear where a server provides them. */
export const isShown = (fact: Fact, slot: RestreamSlot): boolean => fact !== 'custom_video' || Boolean(slot[fact])

/** `up`: a higher value than the neighbour, or yes instead of no. */
export type Difference = 'up' | 'down'

/** Slots in chronological order. */
export const slotNames = ['before', 'current', 'next'] as const
export type SlotName = (typeof slotNames)[number]

/**
 * Difference of a fact from the neighbour's. Null for equal values, and when either value was not reported.
 */
export function differenceOf(
  fact: Fact,
  slot: RestreamSlot,
  neighbour: RestreamSlot | null | undefined,
): Difference | null {
  const [here, there] = [slot[fact], neighbour?.[fact]]
  if (here === null || here === undefined || there === null || there === undefined || here === there) return null
  return Number(here) > Number(there) ? 'up' : 'down'
}
