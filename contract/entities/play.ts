// Plays: scheduled files that a relay node sends as a stream of their own.
import * as z from 'zod/mini'

/** Items of a play. */
export const playItemsMax = 200

const PlayItem = z.object({
  /** Name of the prepared file at the service. */
  file: z.string().check(z.maxLength(100)),
  /** Duration, milliseconds. */
  ms: z.number().check(z.positive()),
})
export type PlayItem = z.output<typeof PlayItem>

/** A play that a node has to run. The stream key is a secret: no log and no error may contain it. */
export const DesiredPlay = z.object({
  projectId: z.int(),
  /** Number of the run: another run of the project is another play. */
  run: z.int(),
  key: z.string(),
  /** Milliseconds since 1970. The position in the items is the time since then. */
  beginAt: z.number(),
  /** Milliseconds since 1970; null: after the last item, or never if it loops. */
  endAt: z.nullable(z.number()),
  /** The first item follows the last one. */
  loop: z.boolean(),
  /** An encoder that went away during the play does not interrupt it again. */
  stays: z.optional(z.boolean()),
  items: z.readonly(z.array(PlayItem).check(z.minLength(1), z.maxLength(playItemsMax))),
})
export type DesiredPlay = z.output<typeof DesiredPlay>

/**
 * States of a play. `waiting`: for its time, or for its admission. `preparing`: its first item is fetched and encoded. `ready`: it can begin.
 * `live`: it runs, shown or below an encoder. `ended`: its time or its items are over. `failed`: it cannot run; the words say why.
 */
export const playStates = ['waiting', 'preparing', 'ready', 'live', 'ended', 'failed'] as const
export type PlayState = (typeof playStates)[number]
