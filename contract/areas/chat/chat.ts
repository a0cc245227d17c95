// Chat gateway: messages of all platforms of a broadcast. Callers have a chat key of the project, or are members of it.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Success } from '#contract/core/wire.ts'
import { ChatCapability, ChatMessage, ChatTombstone, messageNotes } from '#contract/entities/chat-message.ts'
import { ChatKey, EventId, Seq } from './inputs.ts'

/** A broadcast: of the project of the key, or of a project of the signed-in user. */
const OfBroadcast = z.object({ key: z.optional(ChatKey), broadcast_id: Id })
const OfMessage = z.extend(OfBroadcast, { event_id: EventId })
/** A broadcast, or a project whose current broadcast is meant. */
const OfAny = z.object({ key: z.optional(ChatKey), broadcast_id: z.optional(Id), project_id: z.optional(Id) })

const key = 'chat key of the project; left out: a signed-in member is needed'
const anyNotes = {
  key: 'chat key of the project, also instead of `project_id`; left out: a signed-in member is needed',
  broadcast_id: 'left out: the broadcast on air, else the last one of the project',
} as const

export const chat = group(
  'chat.chat',
  // Messages arrive by realtime, and a page applies its own acts.
  { prefix: 'chat', title: 'Chat gateway', stale: [] },
  {
    messages: read('messages', {
      name: 'List history message',
      input: z.extend(OfBroadcast, {
        limit: z._default(z.int().check(z.minimum(1), z.maximum(500)), 200),
        before: z.optional(Seq),
        after: z.optional(Seq),
        q: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
        restream_id: z.optional(Id),
        hidden: z._default(z.boolean(), false),
      }),
      output: z.object({
        total: z.int(),
        items: z.array(ChatMessage),
        more: z.optional(z.boolean()),
        rev: z.int(),
      }),
      auth: 'none',
      scope: 'chat:read',
      provenance: 'published',
      notes: {
        ...messageNotes,
        key,
        before: 'decided: `seq`; the newest messages before it',
        after: 'decided: `seq`; the oldest messages after it. In a loop: every message once',
        q: 'decided: part of a text or of the name of an author, in any case',
        restream_id: 'decided: messages of this restream only',
        hidden: 'decided: with hidden messages; for members only',
        total: 'messages of the broadcast, without filters',
        items: 'oldest first; without `after` the newest. Fewer than `limit` where they are larger than 1 MB',
        more: 'decided: messages follow, after the last item with `after`, else before the first one',
        rev: 'decided: the page has all changes up to this number; `chat/changes` returns later ones',
      },
    }),
    changes: read('changes', {
      name: 'List changes of messages',
      input: z.extend(OfBroadcast, {
        after: Seq,
        limit: z._default(z.int().check(z.minimum(1), z.maximum(500)), 500),
      }),
      output: z.object({
        items: z.array(z.union([ChatMessage, ChatTombstone])),
        starred: z.nullable(z.string()),
        star_rev: z.int(),
        upto: z.int(),
        last: z.int(),
      }),
      auth: 'none',
      scope: 'chat:read',
      provenance: 'decided',
      notes: {
        ...messageNotes,
        key,
        after: 'number of the last change that the client has',
        items: 'messages as they are now, by `rev`; a deleted or hidden one is `{event_id, rev, gone: true}`',
        starred: '`event_id` of the message that overlays show until it is cleared',
        star_rev: 'number of the last change of the star',
        upto: 'the answer has all changes up to this number',
        last: 'number of the last change of the broadcast; larger than `upto`: call again with `after` = `upto`',
      },
    }),
    send: write('POST', 'messages', {
      name: 'Send message',
      input: z.extend(OfBroadcast, {
        id: z.string().check(z.minLength(1), z.maxLength(100)),
        text: z.string().check(z.minLength(1), z.maxLength(300)),
        restreams: z.optional(z.array(Id).check(z.maxLength(256))),
        reply_to: z.optional(EventId),
      }),
      output: ChatMessage,
      status: 201,
      auth: 'none',
      scope: 'chat:control',
      provenance: 'published',
      inQuery: ['v', 'language', 'key', 'broadcast_id'],
      replay: 'never',
      notes: {
        ...messageNotes,
        key: 'chat key with the right to write; a key that only reads needs an editor’s session beside it',
        id: 'id of the client: the same id with the same content returns the same message',
        restreams: 'left out or empty: all chats that can be written to',
        reply_to: 'decided: `event_id` of the message that this one answers; sent as an answer where the platform can',
      },
    }),
    again: write('POST', 'messages/again', {
      name: 'Send a message again to a restream that refused it',
      input: z.extend(OfMessage, { restream_id: Id }),
      output: ChatMessage,
      status: 201,
      auth: 'none',
      scope: 'chat:control',
      provenance: 'decided',
      replay: 'never',
      notes: { ...messageNotes, key, restream_id: 'its state has to be `failed`' },
    }),
    remove: write('POST', 'messages/delete', {
      name: 'Remove message',
      input: OfMessage,
      output: z.extend(Success, {
        results: z.array(
          z.object({
            restream_id: z.int(),
            done: z.enum(['platform', 'here', 'failed']),
            error: z.optional(z.string()),
          }),
        ),
      }),
      placement: 'query',
      status: 201,
      auth: 'none',
      scope: 'chat:write',
      provenance: 'published',
      notes: {
        key: 'chat key with the right to write; a key that only reads needs an editor’s session beside it',
        results:
          'decided: `platform`: deleted there and here; `here`: the platform has no such command; `failed`: the platform refused, deleted here only',
      },
      stale: ['chat.moderate'],
    }),
    message: read('messages/message', {
      name: 'Get one message',
      input: OfMessage,
      output: ChatMessage,
      auth: 'none',
      scope: 'chat:read',
      provenance: 'published',
      notes: { ...messageNotes, key },
    }),
    key: read('key', {
      name: 'Get the key of the chat',
      input: InProject,
      output: z.object({ key: z.string() }),
      auth: 'editor',
      scope: 'chat:write',
      provenance: 'published',
      notes: { key: 'the first key that only reads; its holder can read the chat' },
    }),
    capabilities: read('capabilities', {
      name: 'Get abilities of each chat',
      input: OfAny,
      output: z.object({
        broadcast_id: z.nullable(z.int()),
        on_air: z.boolean(),
        may_write: z.boolean(),
        hold_back: z.int(),
        starred: z.nullable(z.string()),
        star_rev: z.int(),
        results: z.array(ChatCapability),
      }),
      auth: 'none',
      scope: 'chat:read',
      provenance: 'decided',
      notes: {
        ...anyNotes,
        may_write: 'whether the caller may send and moderate',
        hold_back: 'seconds that overlays wait before they show a message',
        starred: '`event_id` of the message that overlays show until it is cleared',
        star_rev: 'number of the last change of the star: ignore a `starred` with a smaller `rev`',
        reason: 'why the chat is not read; null: it is',
        until: 'time of the next attempt to read',
        gap_since: 'messages since this time may be missing',
        restricts: '`timeout`: bans, also for a time',
        timeout_max: 'seconds',
        text_max: 'characters of a message',
        needs: 'what would give the chat more abilities; null: nothing is missing',
        popout_url: 'chat at the platform',
      },
    }),
    watch: write('POST', 'watch', {
      name: 'Keep the chats of a project read',
      input: OfAny,
      output: z.object({ broadcast_id: z.nullable(z.int()), until: DateTime }),
      status: 201,
      auth: 'none',
      scope: 'chat:read',
      provenance: 'decided',
      notes: { ...anyNotes, until: 'call again before it; each 60 seconds is enough' },
    }),
    test: write('POST', 'test', {
      name: 'Publish a sample message',
      input: OfAny,
      output: ChatMessage,
      status: 201,
      auth: 'none',
      scope: 'chat:write',
      provenance: 'decided',
      notes: {
        ...anyNotes,
        key: 'chat key with the right to write; left out: an editor is needed',
        seq: '0: the sample is published to open overlays and pages, and not stored',
      },
    }),
  },
)
