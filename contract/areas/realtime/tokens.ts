// Centrifuge: tokens for the realtime connection. contract/events describes channels and publications.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Nothing } from '#contract/core/wire.ts'

const Token = z.object({ access_token: z.string() })
const LimitedToken = z.extend(Token, { expires_in: z.int() })

/** A kind of channel, for authors of clients. `channel_type` is open: other services have more kinds. */
export const ChannelKind = z.object({
  channel_type: z.string(),
  channel_pattern: z.string(),
  required_params: z.array(z.string()),
  requires_token: z.boolean(),
  response_schema: z.string(),
  events: z.array(z.string()),
  description: z.string(),
})
export type ChannelKind = z.output<typeof ChannelKind>

const notes = { expires_in: 'seconds' }

export const tokens = group(
  'realtime.tokens',
  { prefix: 'centrifuge', title: 'Centrifuge' },
  {
    connect: read('auth/connect', {
      name: 'Get token of the connection',
      isForWidgets: true,
      input: InProject,
      output: LimitedToken,
      auth: 'viewer',
      scope: 'any',
      provenance: 'published',
      notes,
    }),
    channel: read('auth/channel', {
      name: 'Get token of a channel',
      isForWidgets: true,
      input: z.extend(InProject, { channel_name: z.string().check(z.minLength(1), z.maxLength(255)) }),
      output: z.extend(LimitedToken, { channel: z.string() }),
      auth: 'viewer',
      scope: 'any',
      provenance: 'published',
      notes,
    }),
    channels: read('channels', {
      name: 'Get list of channels',
      input: Nothing,
      output: listOf(ChannelKind),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
    }),
    // Names before `auth/connect` and `auth/channel`; older clients still use them.
    auth: read('', {
      name: 'Auth centrifuge',
      input: InProject,
      output: Token,
      auth: 'viewer',
      scope: 'any',
      provenance: 'published',
      version: '2',
      carries: ['v'],
    }),
    project: read('auth/project', {
      name: 'Auth token for project',
      input: InProject,
      output: Token,
      auth: 'editor',
      scope: 'any',
      provenance: 'published',
    }),
    broadcast: read('token/broadcast', {
      name: 'Auth token for broadcast',
      input: z.extend(InProject, { broadcast_id: Id }),
      output: Token,
      auth: 'viewer',
      scope: 'any',
      provenance: 'published',
      version: '2',
    }),
  },
)
