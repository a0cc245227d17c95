// Moderation of chats: time out and ban authors at the platform, hide and show messages here, and the log of both.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { PlatformType } from '#contract/entities/channel.ts'
import { ChatKey, EventId, SenderId } from './inputs.ts'

const acts = ['timeout', 'untimeout', 'ban', 'unban', 'hide', 'show', 'delete'] as const

export const moderate = group(
  'chat.moderate',
  { prefix: 'chat', title: 'Chat moderation' },
  {
    act: write('POST', 'moderate', {
      name: 'Moderate a message or an author',
      input: z.object({
        key: z.optional(ChatKey),
        broadcast_id: Id,
        event_id: z.optional(EventId),
        restream_id: z.optional(Id),
        sender_id: z.optional(SenderId),
        act: z.enum(['timeout', 'untimeout', 'ban', 'unban', 'hide', 'show']),
        seconds: z._default(z.int().check(z.minimum(1), z.maximum(2_419_200)), 600),
      }),
      output: z.object({ done: z.boolean(), until: z.optional(DateTime) }),
      status: 201,
      auth: 'none',
      scope: 'chat:write',
      provenance: 'decided',
      notes: {
        key: 'chat key with the right to write; left out: an editor is needed',
        event_id: 'a message, or the author of it; else `restream_id` and `sender_id`',
        act: '`hide` and `show` change nothing at the platform: of a message with `event_id`, else of all messages of the author',
        seconds: 'of a timeout',
        until: 'end of the timeout',
      },
      stale: ['chat.moderate'],
    }),
    star: write('POST', 'star', {
      name: 'Show a message in the overlay until it is cleared',
      input: z.object({ key: z.optional(ChatKey), broadcast_id: Id, event_id: z.optional(EventId) }),
      output: z.object({ event_id: z.nullable(z.string()), star_rev: z.int() }),
      status: 201,
      auth: 'none',
      scope: 'chat:write',
      provenance: 'decided',
      notes: {
        key: 'chat key with the right to write; left out: an editor is needed',
        event_id:
          'replaces the message that is shown; left out: clears it. Deleting or hiding the message clears it too',
        star_rev: 'number of the change in the broadcast',
      },
      stale: [],
    }),
    log: read('moderate/log', {
      name: 'Get log of moderation',
      input: z.extend(InProject, { broadcast_id: Id }),
      output: listOf(
        z.object({
          id: z.int(),
          act: z.enum(acts),
          restream_id: z.nullable(z.int()),
          sender_id: z.nullable(z.string()),
          sender_name: z.string(),
          event_id: z.nullable(z.string()),
          seconds: z.nullable(z.int()),
          by: z.object({ user_id: z.nullable(z.int()), key_id: z.nullable(z.int()), name: z.string() }),
          error: z.nullable(z.string()),
          created_at: DateTime,
        }),
      ),
      auth: 'viewer',
      scope: 'chat:read',
      provenance: 'decided',
      notes: {
        results: 'newest first, at most 200',
        by: 'the user, or the chat key, by its name',
        error: 'why the platform refused',
      },
    }),
    forget: write('POST', 'forget', {
      name: 'Forget an author',
      input: z.extend(InProject, { platform: PlatformType, sender_id: SenderId }),
      output: z.extend(Success, { count: z.int() }),
      status: 201,
      auth: 'owner',
      scope: 'chat:write',
      provenance: 'decided',
      notes: { count: 'messages of all broadcasts whose text and author were overwritten' },
    }),
  },
)
