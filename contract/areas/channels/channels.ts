// Channel: destination of a project's streams. add-channel.ts adds channels, settings.ts changes their stream details.
import * as z from 'zod/mini'
import { LadderChoice, SilenceChoice, TrackChoice } from '#contract/entities/tracks.ts'
import { group } from '#contract/core/group.ts'
import { maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, pageOf, Success } from '#contract/core/wire.ts'
import { Channel, Platform, PlatformType } from '#contract/entities/channel.ts'
import { address } from './address.ts'

/** Input of an operation about one channel of a project. */
export const InChannel = z.extend(InProject, { channel_id: Id })

/** Longest delay of a channel, seconds. */
export const delayMax = 1200

/** Filters: owned by the project, shared with it, active. */
export const ChannelFilter = z.enum(['all', 'my', 'available', 'active'])

/** Reason why a destination cannot be reached, or `ok`. */
export const TestReason = z.enum([
  'ok',
  'dns_failed',
  'forbidden_address',
  'refused',
  'unreachable',
  'timed_out',
  'closed',
  'tls_failed',
  'wrong_protocol',
])
export type TestReason = z.output<typeof TestReason>

export const channels = group(
  'channels.channels',
  { prefix: 'channel', title: 'Channel' },
  {
    search: read('search', {
      name: 'Search channel list',
      input: z.extend(InProject, {
        type: z.optional(ChannelFilter),
        platform: z.optional(z.string().check(z.maxLength(255), z.regex(/^[a-zA-Z0-9]+(,[a-zA-Z0-9]+)*$/))),
        name: z.optional(z.string().check(z.maxLength(10))),
        limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 30),
        offset: z._default(z.int().check(z.minimum(0)), 0),
      }),
      output: z.extend(pageOf(Channel), {
        platforms: z.array(z.pick(Platform, { id: true, type: true, title: true, edit_name: true })),
      }),
      auth: 'viewer',
      scope: 'channels:read',
      provenance: 'published',
      notes: {
        type: '`my` belong to the project, `available` are shared with it, `active` are switched on',
        platform: 'types with commas between them',
        name: 'a part of the name, in any case',
      },
    }),
    short: read('short', {
      name: 'Minimal channel list',
      input: InProject,
      output: listOf(
        z.object({ channel_id: z.int(), type: PlatformType, name: z.string(), photo_default: maybe(z.string()) }),
      ),
      auth: 'viewer',
      scope: 'channels:read',
      provenance: 'published',
    }),
    get: read('get', {
      name: 'Get channel by id',
      input: InChannel,
      output: Channel,
      auth: 'viewer',
      scope: 'channels:read',
      provenance: 'published',
    }),
    setStatus: write('POST', 'set-status', {
      name: 'Get live status',
      input: z.object({ channel_id: Id, status: z.boolean(), project_id: z.optional(Id) }),
      output: Success,
      auth: 'session',
      scope: 'channels:control',
      provenance: 'published',
      notes: {
        status: 'true switches the channel on',
        project_id:
          'decided: project that switches it; default: the last selected project that has the channel, else its owner',
      },
    }),
    bulkStatus: write('POST', 'bulk-status', {
      name: 'Switch channels on or off',
      input: z.extend(InProject, {
        channel_ids: z.array(Id).check(z.minLength(1), z.maxLength(1000)),
        status: z.boolean(),
      }),
      output: Success,
      auth: 'editor',
      scope: 'channels:control',
      provenance: 'decided',
      notes: { channel_ids: 'all of them or none' },
    }),
    setDelay: write('GET', 'set-delay', {
      name: 'Set delay of a channel',
      input: z.extend(InChannel, { delay: z._default(z.int().check(z.minimum(0), z.maximum(delayMax)), 0) }),
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      carries: [],
      notes: { delay: 'decided: seconds; 0 is none' },
    }),
    setTracks: write('POST', 'set-tracks', {
      name: 'Set tracks of a channel',
      input: z.extend(InChannel, TrackChoice.shape),
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'decided',
      notes: {
        video: 'track of the picture: `main`, by its shape, or by its number',
        audio: 'track of the sound; `silent`: silence',
        missing: 'while a chosen track is missing the channel waits and opens no connection, or receives the main one',
      },
    }),
    setSilence: write('POST', 'set-silence', {
      name: 'Set silence of a channel',
      input: z.extend(InChannel, { silence: SilenceChoice }),
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'decided',
      notes: {
        silence:
          'silence while the encoder sends no sound: `auto` where the platform shows no stream without sound (YouTube), `always`, `never`',
      },
    }),
    setLadder: write('POST', 'set-ladder', {
      name: 'Set ladder of a channel',
      input: z.extend(InChannel, { ladder: LadderChoice }),
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'decided',
      notes: {
        ladder:
          'smaller picture of the encoder while the channel is too slow: `same_size` where it sends a further one of the same size (default), `off`',
      },
    }),
    setHealing: write('POST', 'set-healing', {
      name: 'Set healing of a channel',
      input: z.extend(InChannel, { healing: z.boolean() }),
      output: Success,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'decided',
      notes: {
        channel_id: 'a channel of YouTube with an account',
        healing:
          'true makes a new broadcast, once, when the platform shows the old one no longer although the channel is live: viewers get a new address',
      },
    }),
    remove: write('POST', 'delete', {
      name: 'Delete channel',
      input: InChannel,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      notes: { channel_id: 'of another project: takes it out of this one' },
      // Without the queries of the channel itself: the channel no longer exists.
      stale: ['channels.channels.search', 'channels.channels.short'],
    }),
    test: write('POST', 'test', {
      name: 'Test the connection to a destination',
      input: z.extend(InProject, { url: z.optional(address), channel_id: z.optional(Id) }),
      output: z.object({ reachable: z.boolean(), reason: TestReason, latency: z.nullable(z.int()) }),
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'decided',
      announces: 'nothing',
      replay: 'never',
      notes: {
        url: 'an address that is not saved yet, or',
        channel_id: 'a channel with its own address',
        latency: 'milliseconds to open the connection; null when it could not be opened',
      },
      stale: ['channels.channels'],
    }),
  },
)
