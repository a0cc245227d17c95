// Chat keys of a project: overlays read with them, docks of OBS also write.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { chatKeyRights } from '#contract/entities/chat-message.ts'

const rights = z.enum(chatKeyRights)
const ChatKeyRow = z.object({
  id: z.int(),
  name: z.string(),
  rights,
  hint: z.string(),
  date_create: DateTime,
  date_use: z.nullable(DateTime),
})

export const keys = group(
  'chat.keys',
  { prefix: 'chat/keys', title: 'Chat keys' },
  {
    list: read('', {
      name: 'Get list of chat keys',
      input: InProject,
      output: listOf(ChatKeyRow),
      auth: 'editor',
      scope: 'chat:read',
      provenance: 'decided',
      notes: { hint: 'last four signs of the key', date_use: 'last use, to the minute' },
    }),
    add: write('POST', '', {
      name: 'Add a chat key',
      input: z.extend(InProject, {
        name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
        rights: z._default(rights, 'read'),
      }),
      output: z.extend(ChatKeyRow, { key: z.string() }),
      status: 201,
      auth: 'editor',
      scope: 'chat:write',
      provenance: 'decided',
      notes: { rights: 'a key with `write` needs an owner', key: 'shown once' },
      stale: ['chat.keys'],
    }),
    remove: write('POST', 'remove', {
      name: 'Revoke a chat key',
      input: z.extend(InProject, { key_id: Id }),
      output: Success,
      auth: 'editor',
      scope: 'chat:write',
      provenance: 'decided',
      notes: { key_id: 'a key with `write` needs an owner; open connections end within a second' },
      stale: ['chat.chat.key', 'chat.keys'],
    }),
  },
)
