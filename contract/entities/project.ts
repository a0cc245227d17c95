// Projects as every side shows them, and the roles in them.
import * as z from 'zod/mini'
import { maybe, numberish } from '#contract/core/lenient.ts'
import type { ProjectRole } from '#contract/core/operation.ts'

/** Roles by their wire number: index = `access_type` (published 0 / 1 / 2; names decided). */
export const roles = ['viewer', 'editor', 'owner'] as const satisfies readonly ProjectRole[]

/** Role in a project as a number: 0 viewer, 1 editor, 2 owner. */
export const AccessType = z.literal([0, 1, 2])
export type AccessType = z.output<typeof AccessType>

/** 0 personal, 1 team (published). */
export const ProjectType = z.literal([0, 1])

/** The one currency of a project. */
export const Currency = z.enum(['rub', 'usd'])
export type Currency = z.output<typeof Currency>

/** May a member with this role do what needs that role? */
export const roleCan = (accessType: AccessType, needed: ProjectRole): boolean => accessType >= roles.indexOf(needed)

/** A project with its three purses, minor units (published `UserProjectGetResponse`). */
export const Project = z.object({
  name: z.string(),
  fename: z.string(),
  photo_50: z.string(),
  type: ProjectType,
  external_id: z.string(),
  internal_id: z.int(),
  countrie_id: z.int(),
  balance_bonus: numberish,
  balance_payment: numberish,
  balance_profit: numberish,
  currency: Currency,
})

/** A member of a project (published `UserProject2ProjectResponse`). */
export const ProjectMember = z.object({
  user_id: z.int(),
  project_id: z.int(),
  name: z.string(),
  fename: z.string(),
  photo_50: maybe(z.string()),
  type: ProjectType,
  external_id: z.string(),
  access_type: AccessType,
})
