// Chat gateway, as far as it is served: the read-only key of overlays.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'

export const chat = group(
  'chat.chat',
  { prefix: 'chat', title: 'Chat gateway' },
  {
    key: read('key', {
      name: 'Get the key of the chat',
      input: InProject,
      output: z.object({ key: z.string() }),
      auth: 'editor',
      provenance: 'published',
      notes: { key: 'a secret of the project: whoever has it reads along' },
    }),
  },
)
