// Planned streams and playlists of a platform, requested with the channel's account.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { listOf } from '#contract/core/wire.ts'
import { InChannel } from './channels.ts'

export const Planned = z.object({ id: z.string(), title: z.string(), description: z.string(), date: DateTime })
export type Planned = z.output<typeof Planned>
const OnePlanned = z.object({ planned: z.optional(Planned) })

export const planned = group(
  'channels.planned',
  { prefix: 'channel_settings/options', title: 'Channel settings' },
  {
    get: read('getPlanned', {
      name: 'Get planned list',
      input: InChannel,
      output: z.extend(listOf(OnePlanned), { selected: z.nullable(z.string()) }),
      auth: 'editor',
      scope: 'channels:read',
      provenance: 'published',
    }),
    set: write('POST', 'setPlanned', {
      name: 'Set planned id',
      input: z.extend(InChannel, { id: z.optional(z.string().check(z.maxLength(20))) }),
      output: OnePlanned,
      status: 201,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      notes: { id: 'the planned stream of the next broadcast; without it each broadcast creates one' },
    }),
    playlists: read('getPlaylist', {
      name: 'Get playlists from the platform',
      input: InChannel,
      output: listOf(z.object({ id: z.string(), name: z.string() })),
      auth: 'editor',
      scope: 'channels:read',
      provenance: 'published',
    }),
  },
)
