// Settings of a project's chat: filters, hold-back of overlays, retention.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'
import { PlatformType } from '#contract/entities/channel.ts'
import { ChatSettings } from '#contract/entities/chat-message.ts'
import { SenderId } from './inputs.ts'

const word = z.string().check(z.trim(), z.minLength(1), z.maxLength(50))
const notes = {
  words: 'messages with one of them are hidden, in any case',
  hide_commands: 'messages that begin with `!`',
  hold_back: 'seconds that overlays wait before they show a message, so that bots can delete it first',
  keep_days: 'days until messages are removed; at most the limit of the server',
  muted: 'authors whose messages are hidden',
} as const

export const settings = group(
  'chat.settings',
  { prefix: 'chat/settings', title: 'Chat settings' },
  {
    get: read('', {
      name: 'Get settings of the chat',
      input: InProject,
      output: ChatSettings,
      auth: 'viewer',
      scope: 'chat:read',
      provenance: 'decided',
      notes,
    }),
    set: write('POST', '', {
      name: 'Set settings of the chat',
      input: z.extend(InProject, {
        words: z.optional(z.array(word).check(z.maxLength(200))),
        hide_bots: z.optional(z.boolean()),
        hide_commands: z.optional(z.boolean()),
        hold_back: z.optional(z.int().check(z.minimum(0), z.maximum(10))),
        keep_days: z.optional(z.int().check(z.minimum(1), z.maximum(365))),
        mute: z.optional(
          z.object({ platform: PlatformType, sender_id: SenderId, name: z.string().check(z.maxLength(255)) }),
        ),
        unmute: z.optional(z.object({ platform: PlatformType, sender_id: SenderId })),
      }),
      output: ChatSettings,
      status: 201,
      auth: 'editor',
      scope: 'chat:write',
      provenance: 'decided',
      notes: { ...notes, mute: 'an author to hide', unmute: 'an author to show again' },
      stale: ['chat.chat.capabilities', 'chat.settings'],
    }),
  },
)
