// Channel settings: name, address, transcoder, and stream details of each platform. The dashboard builds its forms from
// these schemas. Planned streams and playlists are in planned.ts, Telegram in telegram-chat.ts.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import type { Schema } from '#contract/core/operation.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Nothing, Success } from '#contract/core/wire.ts'
import type { OptionPlatform } from '#contract/entities/channel.ts'
import { address, streamKey } from './address.ts'
import { InChannel } from './channels.ts'

const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max))
const unique = z.refine<readonly string[]>((values) => new Set(values).size === values.length)
const digits = z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[0-9]*$/))
const flag = z.optional(z.boolean())
/** YouTube refuses angle brackets. */
const withoutBrackets = z.regex(/^[^<>]*$/)
const description = text(5000)

/** Stream details of each platform, with its limits (published). */
export const optionForms = {
  youtube: z.object({
    title: text(100).check(withoutBrackets),
    description: description.check(withoutBrackets),
    category_id: z.optional(digits),
    category_name: z.optional(text(255, 1)),
    playlist_id: z.optional(text(255, 1)),
    audience: z.optional(z.enum(['mark_for_kids', 'mark_for_nokids'])),
    latency: z.optional(z.enum(['normal', 'low', 'ultraLow'])),
    privacy_video: z.optional(z.enum(['private', 'public', 'unlisted'])),
    image: z.optional(z.string().check(z.maxLength(60_000), z.regex(/^(https:\/\/|data:image\/(png|jpeg);base64,)/))),
    lang: z.optional(z.enum(['ru', 'en'])),
    tags: z.optional(
      z.array(text(100).check(z.regex(/^[\p{L}\p{M}\p{N} ]*$/u))).check(z.minLength(1), z.maxLength(100), unique),
    ),
    disable_auto_end: flag,
  }),
  vk: z.object({
    title: text(128),
    description,
    category_id: z.optional(digits),
    category_name: z.optional(text(100, 1)),
    category_secondary_id: z.optional(digits),
    category_secondary_name: z.optional(text(100, 1)),
    playlist_id: z.optional(text(100, 1)),
    privacy_comments: z.optional(z.enum(['all', 'members', 'editors', 'nobody'])),
    privacy_video: z.optional(z.enum(['all', 'members', 'editors', 'by_link', 'donut'])),
    wall: flag,
    disable_auto_end: flag,
  }),
  vkvideolive: z.object({
    title: text(128),
    category_id: z.optional(text(255, 1)),
    category_name: z.optional(text(255, 1)),
  }),
  ok: z.object({ title: text(128), description }),
  twitch: z.object({
    title: text(140),
    category_id: z.optional(digits),
    category_name: z.optional(text(255, 1)),
    lang: z.optional(z.enum(['ru', 'en'])),
    tags: z.optional(
      z.array(text(25, 1).check(z.regex(/^[\p{L}\p{M}\p{N}]*$/u))).check(z.minLength(1), z.maxLength(10), unique),
    ),
    domain: text(255, 1),
  }),
  trovo: z.object({
    title: text(100),
    category_id: z.optional(digits),
    category_name: z.optional(text(255, 1)),
    audience: z.optional(
      z.enum([
        'CHANNEL_AUDIENCE_TYPE_FAMILYFRIENDLY',
        'CHANNEL_AUDIENCE_TYPE_TEEN',
        'CHANNEL_AUDIENCE_TYPE_EIGHTEENPLUS',
      ]),
    ),
    lang: z.optional(z.enum(['ru', 'en', 'cn'])),
  }),
} satisfies Record<OptionPlatform, Schema>

/** Channel name: letters, digits and spaces of any script. */
export const nameForm = z.object({ name: text(255, 3).check(z.regex(/^[\p{L}\p{M}\p{N} ]*$/u)) })

/** Title and description for many channels; channels of platforms with lower limits are skipped and reported. */
export const bulkForm = z.object({ title: text(140), description })

/** Result for one channel. */
export const BulkOutcome = z.enum([
  'updated',
  'no_settings',
  'too_long',
  'not_allowed_text',
  'platform_refused',
  'forbidden',
])
export type BulkOutcome = z.output<typeof BulkOutcome>

const change = <I extends Schema>(segment: string, name: string, input: I, notes: Record<string, string> = {}) =>
  write('POST', segment, { name, input, output: Success, status: 201, auth: 'editor', provenance: 'published', notes })

const options = <I extends Schema>(segment: string, platform: string, input: I) =>
  change(`options/${segment}`, `Optional settings per platform (${platform})`, input)

export const settings = group(
  'channels.settings',
  { prefix: 'channel_settings', title: 'Channel settings' },
  {
    setYoutube: options('setYoutube', 'youtube', z.extend(InChannel, optionForms.youtube.shape)),
    setVk: options('setVk', 'vk', z.extend(InChannel, optionForms.vk.shape)),
    setVkVideoLive: options('setVkVideoLive', 'vk video live', z.extend(InChannel, optionForms.vkvideolive.shape)),
    setOk: options('setOk', 'ok', z.extend(InChannel, optionForms.ok.shape)),
    setTwitch: options('setTwitch', 'twitch', z.extend(InChannel, optionForms.twitch.shape)),
    setTrovo: options('setTrovo', 'trovo', z.extend(InChannel, optionForms.trovo.shape)),
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
        ...bulkForm.shape,
        channel_ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(1000))),
      }),
      output: z.extend(Success, { results: z.array(z.object({ channel_id: z.int(), outcome: BulkOutcome })) }),
      status: 201,
      auth: 'editor',
      provenance: 'published',
      notes: { channel_ids: 'decided: left out, all channels of the project' },
    }),
    getStatus: read('getStatus', {
      name: 'Get status platform',
      input: Nothing,
      output: z.object({ message: z.nullable(z.string()) }),
      auth: 'session',
      provenance: 'published',
      carries: [],
    }),
    updateToken: write('GET', 'update-token', {
      name: 'Refresh the token of a channel',
      input: z.extend(InChannel, { role: z.enum(['account', 'group']) }),
      output: Success,
      auth: 'editor',
      provenance: 'published',
    }),
  },
)
