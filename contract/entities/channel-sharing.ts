// Schemas that both groups of shared channels use.
import * as z from 'zod/mini'
import { accessTypes } from './roles.ts'

/** Project as its partners see it (published). `ref_id` is its external id; `user_id` is the project as well. */
export const ProjectCard = z.object({
  user_id: z.int(),
  name: z.string(),
  fename: z.string(),
  photo_50: z.string(),
  ref_id: z.string(),
})
export type ProjectCard = z.output<typeof ProjectCard>

/** Roles of a project in a shared channel; a separate operation transfers the owner's role. */
export const guestAccess = [accessTypes.viewer, accessTypes.editor] as const
export type GuestAccess = (typeof guestAccess)[number]
