// Channel settings: name, address, transcoder, and stream details of each platform. The dashboard builds its forms from
// these schemas. Planned streams and playlists are in planned.ts, Telegram in telegram-chat.ts.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import type { Schema } from '#contract/core/operation.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Nothing, Success } from '#contract/core/wire.ts'
import { description, type Form, text } from '#contract/platforms/fields.ts'
import { forms } from '#contract/platforms/forms.gen.ts'
import { address, streamKey } from './address.ts'
import { InChannel } from './channels.ts'

/** Channel name: letters, digits and spaces of any script. */
export const nameForm = z.object({ name: text(255, 3).check(z.regex(/^[\p{L}\p{M}\p{N} ]*$/u)) })

/** Title and description for many channels; channels of platforms with lower limits are skipped and reported. */
export const bulkForm = z.object({ title: text(140), description })

/** Result for one channel. `by_key`: kept, and sent as soon as an account has the channel. */
export const BulkOutcome = z.enum([
  'updated',
  'by_key',
  'no_settings',
  'too_long',
  'not_allowed_text',
  'platform_refused',
  'forbidden',
])
export type BulkOutcome = z.output<typeof BulkOutcome>

const change = <I extends Schema>(segment: string, name: string, input: I, notes: Record<string, string> = {}) =>
  write('POST', segment, {
    name,
    input,
    output: Success,
    status: 201,
    auth: 'editor',
    scope: 'channels:write',
    provenance: 'published',
    notes,
  })

const setForm = <F extends Form>({ operation, label, fields }: F) =>
  change(
    `options/${operation}`,
    `Optional settings per platform (${label})`,
    z.extend(InChannel, fields.shape as F['fields']['shape']),
  )

type Forms = typeof forms
/** One operation for each form. */
const options = Object.fromEntries(
  Object.values(forms).map((form) => [form.operation, setForm<Form>(form)]),
) as unknown as {
  [P in keyof Forms as Forms[P]['operation']]: ReturnType<typeof setForm<Forms[P]>>
}

export const settings = group(
  'channels.settings',
  { prefix: 'channel_settings', title: 'Channel settings' },
  {
    ...options,
    setName: change('setName', 'Set name for a custom channel', z.extend(InChannel, nameForm.shape)),
    setRtmp: change(
      'setRtmp',
      'Set rtmp url for a custom channel',
      z.extend(InChannel, { url: address, stream_key: z.optional(streamKey) }),
      { stream_key: 'decided: without it the key does not change' },
    ),
    setSrt: change('setSrt', 'Set srt url for a channel', z.extend(InChannel, { url: address })),
    setPage: write('POST', 'setPage', {
      name: 'Set the page of a channel',
      input: z.extend(InChannel, { channel_url: z.string().check(z.maxLength(1000)) }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'decided',
      notes: { channel_url: 'page at the platform, by which its chat is read without an account; empty: none' },
    }),
    setTranscoder: change(
      'setTranscoder',
      'Set transcoder for a channel',
      z.extend(InChannel, { transcoder_id: z.optional(Id) }),
      { transcoder_id: 'without it the channel receives the stream unchanged' },
    ),
    bulkUpdate: write('POST', 'bulkUpdate', {
      name: 'Set title and description of many channels',
      input: z.extend(InProject, {
        title: bulkForm.shape.title,
        description: z.optional(bulkForm.shape.description),
        channel_ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(1000))),
      }),
      output: z.extend(Success, { results: z.array(z.object({ channel_id: z.int(), outcome: BulkOutcome })) }),
      status: 201,
      auth: 'editor',
      scope: 'channels:control',
      provenance: 'published',
      notes: {
        description: 'decided: left out, each channel keeps its own',
        channel_ids: 'decided: left out, all channels of the project',
      },
    }),
    getStatus: read('getStatus', {
      name: 'Get status platform',
      input: Nothing,
      output: z.object({ message: z.nullable(z.string()) }),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      carries: [],
    }),
    updateToken: write('GET', 'update-token', {
      name: 'Refresh the token of a channel',
      input: z.extend(InChannel, { role: z.enum(['account', 'group']) }),
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
    }),
  },
)
