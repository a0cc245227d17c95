// Pull servers: addresses from which a project's stream can be pulled with a pull key.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { maybe } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Nothing } from '#contract/core/wire.ts'
import { Country, serverList } from '#contract/entities/ingest.ts'

export const pullServers = group(
  'ingest.pull-servers',
  { prefix: 'pull-servers', title: 'Pull servers' },
  {
    list: read('list', {
      name: 'Get pull servers',
      input: Nothing,
      output: serverList(
        z.object({
          city: z.string(),
          pingHost: z.string(),
          url: z.object({ rtmp: maybe(z.string()), srt: maybe(z.string()), hls: maybe(z.string()) }),
          country: Country,
          targetKey: z.optional(z.string()),
        }),
      ),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      carries: [],
      notes: { url: '`{{key}}` stands for the pull key; null: the transport is not offered' },
    }),
  },
)
