// Live: changing values of a broadcast. The older path of `broadcast/restreams`.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { Id, InProject } from '#contract/core/wire.ts'
import { liveNotes, LiveRestreams } from '#contract/entities/broadcast.ts'

export const live = group(
  'broadcasts.live',
  { prefix: 'live', title: 'Live' },
  {
    restreams: read('restreams', {
      name: 'View live info',
      input: z.extend(InProject, { broadcast_id: Id }),
      output: LiveRestreams,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      version: '2',
      notes: liveNotes,
    }),
  },
)
