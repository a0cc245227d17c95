// API tokens: a person's access for programs, limited to scopes and perhaps to one project. Ours: no published path is known.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { scopes } from '#contract/core/scopes.ts'
import { Id, listOf, Nothing, Success } from '#contract/core/wire.ts'

/** Longest and usual lifetime, days. */
export const apiTokenDays = { max: 365, usual: 90 } as const
const nameMax = 100

/** An API token, without its secret. Revoked and expired ones are not listed. */
export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(z.string()),
  project: z.nullable(z.object({ id: Id, name: z.string() })),
  hint: z.string(),
  date_create: DateTime,
  date_end: DateTime,
  date_use: z.nullable(DateTime),
  address: z.string(),
  program: z.string(),
})
export type ApiToken = z.output<typeof ApiToken>

export const apiTokens = group(
  'account.api-tokens',
  { prefix: 'account/api-tokens', title: 'API tokens', stale: ['account.api-tokens'] },
  {
    list: read('', {
      name: 'API tokens of the signed-in person',
      input: Nothing,
      output: listOf(ApiToken),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      notes: {
        project: 'null: all projects of the person',
        hint: 'last four signs of the token',
        date_use: 'last use, to five minutes; null: unused',
        address: 'network of the last use, without the part that identifies a household',
        program: '`User-Agent` of the last use',
      },
    }),
    create: write('POST', '', {
      name: 'Create an API token',
      input: z.object({
        name: z.string().check(z.trim(), z.minLength(1), z.maxLength(nameMax), z.regex(/^\P{Cc}*$/u)),
        scopes: z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length)),
        project_id: z.optional(Id),
        days: z._default(z.int().check(z.minimum(1), z.maximum(apiTokenDays.max)), apiTokenDays.usual),
      }),
      output: z.extend(ApiToken, { token: z.string() }),
      status: 201,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: {
        project_id: 'left out: all projects of the person',
        days: 'lifetime',
        token: '`rdk_…`, shown once',
      },
    }),
    revoke: write('POST', 'revoke', {
      name: 'Revoke an API token',
      input: z.object({ token_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      notes: { token_id: 'open realtime connections end within a second' },
    }),
  },
)
