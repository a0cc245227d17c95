// What a slot says, fact by fact, and how it differs from the slot beside it in time.
import type { RestreamSlot } from '#contract/entities/plan.ts'

/** The facts of a slot in the order they are shown. */
export const facts = ['channel_max', 'bitrate_max', 'support_custom_channel', 'custom_video'] as const
export type Fact = (typeof facts)[number]

/** `up`: more than the neighbour has, or a yes where it has a no. */
export type Difference = 'up' | 'down'

/** The slots in the order of time. */
export const slotNames = ['before', 'current', 'next'] as const
export type SlotName = (typeof slotNames)[number]

/**
 * How a fact differs from the neighbour's. Null where it does not, and where one of the two was not reported: nothing
 * is known about a difference then.
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
