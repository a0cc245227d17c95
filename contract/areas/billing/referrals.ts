// Referrals: earnings from the payments of invited users.
import * as z from 'zod/mini'
import { byCurrency } from '#contract/entities/currencies.ts'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, Success } from '#contract/core/wire.ts'

const ByCurrency = z.object(byCurrency(() => z.int()))

/** Referrals of a project (published `SiteTotalInfoReferralsResponse`). `percent` and below are ours. */
export const ReferralInfo = z.object({
  profit: ByCurrency,
  members: z.int(),
  percent: z.number(),
  link: z.nullable(z.string()),
  waiting: ByCurrency,
})
export type ReferralInfo = z.output<typeof ReferralInfo>

export const referrals = group(
  'billing.referrals',
  { prefix: 'referrals', title: 'Referrals' },
  {
    info: read('info', {
      name: 'Total info',
      input: InProject,
      output: ReferralInfo,
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'published',
      notes: {
        profit: 'minor units by currency',
        members: 'users that signed up with the link',
        percent: 'share of their payments',
        link: 'null for a team project',
        waiting:
          'minor units by currency: earnings of the last 30 days, and those in another currency than the project',
      },
    }),
    join: write('POST', 'join', {
      name: 'Name the user that invited the caller',
      input: z.object({ code: z.string().check(z.minLength(1), z.maxLength(64)) }),
      output: Success,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'decided',
      notes: { code: '`refId` of the inviter; within 24 hours after sign-up, once' },
      stale: [],
    }),
  },
)
