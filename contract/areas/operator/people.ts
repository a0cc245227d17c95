// People of the installation: users, operators, sessions, and sign-up.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Page, pageOf, Success } from '#contract/core/wire.ts'
import { SignUpMode } from '#contract/entities/account.ts'
import { Reason } from './settings.ts'

/** A user of the installation. */
export const OperatorUser = z.object({
  user_id: z.int(),
  name: z.string(),
  email: z.nullable(z.string()),
  operator: z.boolean(),
  /** Number of projects of which the user is a member. */
  projects: z.int(),
  /** Number of living sessions. */
  sessions: z.int(),
  date_create: DateTime,
})
export type OperatorUser = z.output<typeof OperatorUser>

export const people = group(
  'operator.people',
  { prefix: 'operator/people', title: 'OperatorPeople', stale: ['operator'] },
  {
    list: read('', {
      name: 'Find users',
      input: z.extend(Page, {
        query: z.optional(z.string().check(z.maxLength(100))),
        operators: z.optional(z.boolean()),
      }),
      output: pageOf(OperatorUser),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        query: 'beginnings of words of the name or of the e-mail; finds at most 1,000',
        operators: 'true: only operators',
      },
    }),
    setOperator: write('POST', 'operator', {
      name: 'Make a user an operator, or remove the right',
      input: z.object({ user_id: Id, operator: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { operator: 'the last operator cannot be removed' },
      stale: ['operator', 'account.auth.me'],
    }),
    endSessions: write('POST', 'end-sessions', {
      name: 'End all sessions of a user',
      input: z.object({ user_id: Id, reason: Reason }),
      output: z.object({ ended: z.int() }),
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      revokes: true,
    }),
    setSignUp: write('POST', 'sign-up', {
      name: 'Set the mode of sign-up',
      input: z.object({ sign_up: SignUpMode, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { sign_up: 'replaces the setting `SIGN_UP`' },
    }),
    invite: write('POST', 'invite', {
      name: 'Create a link that makes one account',
      input: z.object({ reason: Reason }),
      output: z.object({ url: z.string() }),
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { url: 'works once, for a week, in every mode of sign-up' },
    }),
  },
)
