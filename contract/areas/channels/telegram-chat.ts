// Telegram chat of a channel: comments under one of its posts, read by the bot of this service.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { listOf, Success } from '#contract/core/wire.ts'
import { InChannel } from './channels.ts'

/** Post whose comments are read (decided): 0 newest, 1 pinned, 2 chosen, 3 by link. */
export const FilterMode = z.literal([0, 1, 2, 3])
export type FilterMode = z.output<typeof FilterMode>

const messageId = z.int().check(z.minimum(0), z.maximum(2_147_483_647))
const link = z.string().check(z.maxLength(1000), z.regex(/^https:\/\/(t\.me|telegram\.me)\//))

/** A post that the bot has received. */
export const Post = z.object({ message_id: z.int(), text: z.string(), attachments: z.record(z.string(), z.unknown()) })
export type Post = z.output<typeof Post>

export const telegramChat = group(
  'channels.telegram-chat',
  { prefix: 'channel_settings/chat', title: 'Channel settings', stale: ['channels.telegram-chat'] },
  {
    setTelegram: write('POST', 'setTelegram', {
      name: 'Optional settings per platform (telegram)',
      input: z.extend(InChannel, {
        link: z.optional(link),
        select: z.optional(z.literal([0, 1, 2])),
        messageId: z.optional(messageId),
      }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      notes: { select: 'like `filter_mode` of telegram/setting, which does more' },
    }),
    settings: read('telegram/setting', {
      name: 'Get settings',
      input: InChannel,
      output: z.object({
        connected: z.boolean(),
        data: z.nullable(
          z.object({
            filter_mode: FilterMode,
            chat: z.object({ id: z.int(), name: z.string(), domain: z.optional(z.string()), image: z.string() }),
            post: z.optional(Post),
          }),
        ),
      }),
      auth: 'editor',
      scope: 'channels:read',
      provenance: 'published',
    }),
    setSettings: write('POST', 'telegram/setting', {
      name: 'Set settings',
      input: z.extend(InChannel, {
        filter_mode: FilterMode,
        message_id: z.optional(messageId),
        link: z.optional(link),
      }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      inQuery: ['v', 'language', 'project_id', 'channel_id'],
      notes: {
        filter_mode: '0 newest post, 1 pinned post, 2 the post of `message_id`, 3 the post of `link`',
        link: 'address of a post at t.me',
      },
    }),
    init: write('GET', 'telegram/init', {
      name: 'Get code for connected chat',
      input: InChannel,
      output: z.object({ code: z.string(), bot: z.string() }),
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      announces: 'nothing',
      notes: { code: 'to be posted into the chat after the bot was let in', bot: 'decided: name of the bot' },
      stale: [],
    }),
    disconnect: write('GET', 'telegram/disconnect', {
      name: 'Disconnect chat',
      input: InChannel,
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      // The posts no longer exist.
      stale: ['channels.telegram-chat.settings'],
    }),
    posts: read('telegram/posts', {
      name: 'Get post list',
      input: InChannel,
      output: listOf(Post),
      auth: 'editor',
      scope: 'channels:read',
      provenance: 'published',
    }),
    postByFilter: read('telegram/posts/get-by-filter', {
      name: 'Get post by filter',
      input: z.extend(InChannel, { filter_mode: FilterMode }),
      output: Post,
      auth: 'editor',
      scope: 'channels:read',
      provenance: 'published',
    }),
  },
)
