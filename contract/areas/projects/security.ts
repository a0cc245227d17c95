// Security of a project: the demand for a second factor. Ours: none of it is published.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, Success } from '#contract/core/wire.ts'

export const security = group(
  'projects.security',
  { prefix: 'project/security', title: 'ProjectSecurity', stale: ['projects.security'] },
  {
    get: read('', {
      name: 'Demand of a project for a second factor',
      input: InProject,
      output: z.object({
        second_factor: z.boolean(),
        /** Members without one. */
        members_without: z.int(),
      }),
      auth: 'viewer',
      scope: 'project:read',
      provenance: 'decided',
    }),
    set: write('POST', '', {
      name: 'Demand a second factor of the members',
      input: z.extend(InProject, { second_factor: z.boolean() }),
      output: Success,
      auth: 'owner',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      notes: { second_factor: 'members without one get 403 `SecondFactorDemanded` until they set it up' },
    }),
  },
)
