// Schemas that both groups of shared channels use.
import * as z from 'zod/mini'
import { channelRights } from './roles.ts'

/** Project as its partners see it (published). `ref_id` is its external id; `user_id` is the project as well. */
export const ProjectCard = z.object({
  user_id: z.int(),
  name: z.string(),
  fename: z.string(),
  photo_50: z.string(),
  ref_id: z.string(),
})
export type ProjectCard = z.output<typeof ProjectCard>

/** Rights that an invitation gives; a separate operation transfers the channel. */
export const guestAccess = [channelRights.view, channelRights.use] as const
export type GuestAccess = (typeof guestAccess)[number]
