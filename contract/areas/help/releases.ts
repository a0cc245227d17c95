// Release: version of the running dashboard and service.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'

/** Name, version and date of the running release (published `GetVersionAppResponse`). */
export const Release = z.object({ name: z.string(), version: z.string(), date: z.string() })

export const releases = group(
  'help.releases',
  { prefix: 'release-app', title: 'Release' },
  {
    current: read('', {
      name: 'Get current version app',
      input: z.object({ app: z._default(z.enum(['cabinet']), 'cabinet') }),
      output: Release,
      auth: 'none',
      scope: 'any',
      provenance: 'published',
    }),
  },
)
