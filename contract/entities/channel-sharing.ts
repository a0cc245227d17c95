// What both groups of shared channels show.
import * as z from 'zod/mini'

/** A project as its partners see it (published). `ref_id` is its external id; `user_id` is the project as well. */
export const ProjectCard = z.object({
  user_id: z.int(),
  name: z.string(),
  fename: z.string(),
  photo_50: z.string(),
  ref_id: z.string(),
})
export type ProjectCard = z.output<typeof ProjectCard>

/** What a shared channel may be: the owner's role is handed over by itself. */
export const guestAccess = [0, 1] as const
export type GuestAccess = (typeof guestAccess)[number]
