// Schemas of projects and their members.
import * as z from 'zod/mini'
import { maybe, numberish } from '#contract/core/lenient.ts'
import { currencyCodes } from './currencies.ts'
import { AccessType } from './roles.ts'

/** 0 personal, 1 team (published). */
export const ProjectType = z.literal([0, 1])

/** Currency of a project. */
export const Currency = z.enum(currencyCodes)
export type Currency = z.output<typeof Currency>

/** Project with its three balance types, minor units (published `UserProjectGetResponse`). */
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

/** Member of a project (published `UserProject2ProjectResponse`). */
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
