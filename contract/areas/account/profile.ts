// User: profile of the signed-in user. `users/profile` is an older path of the same operations.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { maybe, numberish } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Uploaded } from '#contract/core/upload.ts'
import { Id, Language, Success } from '#contract/core/wire.ts'
import { Currency } from '#contract/entities/project.ts'

/** Signed-in user (published `UserProfileResponse`). `referralsIncome` is a decimal string on the wire. */
export const Profile = z.object({
  id: z.int(),
  type: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  photo: maybe(z.string()),
  refId: maybe(z.string()),
  partners: z.int(),
  referralsIncome: z.union([z.string(), z.number()]),
  scope: z.int(),
  currency: Currency,
  countrie_id: z.int(),
  language: Language,
  balance: numberish,
  lastProjectId: maybe(z.int()),
})
export type Profile = z.output<typeof Profile>

const name = z.string().check(z.maxLength(255))

const operations = (names: { get: string; update: string }) => ({
  get: read('', {
    name: names.get,
    input: z.object({ project_id: z.optional(Id) }),
    output: Profile,
    auth: 'session',
    scope: 'profile:read',
    provenance: 'published',
    notes: {
      balance: 'minor units of `currency`, the sum of all balance types of the project',
      referralsIncome: 'decimal string',
    },
  }),
  update: write('POST', '', {
    name: names.update,
    placement: 'multipart',
    input: z.object({ first_name: name, last_name: name, avatar: z.optional(Uploaded) }),
    output: Success,
    auth: 'session',
    scope: 'profile:write',
    provenance: 'published',
    notes: { avatar: 'JPEG or PNG, at most 2 MB' },
    stale: ['account', 'projects.projects.list', 'projects.projects.members'],
  }),
})

export const profile = group(
  'account.profile',
  { prefix: 'account/profile', title: 'User' },
  operations({ get: 'Get account profile', update: 'Update account profile' }),
)

export const usersProfile = group(
  'account.usersProfile',
  { prefix: 'users/profile', title: 'User' },
  operations({ get: 'Get user profile', update: 'Update profile' }),
)
