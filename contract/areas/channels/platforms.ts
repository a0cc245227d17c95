// Platforms: where streams can go, and the accounts there.
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { listOf, Nothing } from '#contract/core/wire.ts'
import { Platform } from '#contract/entities/channel.ts'

export const platforms = group(
  'channels.platforms',
  { prefix: 'platforms', title: 'Platforms' },
  {
    list: read('list', {
      name: 'Supported platforms',
      input: Nothing,
      output: listOf(Platform),
      auth: 'none',
      provenance: 'published',
    }),
  },
)
