// Broadcast: one session on air. It starts with the encoder, survives short disconnects, and feeds many channels.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Page, pageOf, Success } from '#contract/core/wire.ts'
import {
  Broadcast,
  BroadcastEvent,
  BroadcastRow,
  eventFilters,
  eventNotes,
  EventPage,
  Graph,
  liveNotes,
  LiveRestreams,
} from '#contract/entities/broadcast.ts'
import { BroadcastStatus } from '#contract/entities/on-air.ts'

/** Identifies a broadcast of a project. */
const OfBroadcast = z.extend(InProject, { broadcast_id: Id })

/** The broadcast that is on air, with the tokens of an overlay. */
const Current = z.object({ access_token: z.string(), connection_token: z.string(), broadcast_id: z.int() })

/** Read-only key of an overlay. */
const Key = z.string().check(z.minLength(1), z.maxLength(100))
const order = z._default(z.enum(['asc', 'desc']), 'asc')

export const broadcasts = group(
  'broadcasts.broadcasts',
  { prefix: 'broadcast', title: 'Broadcast' },
  {
    status: read('status', {
      name: 'Get status of broadcast',
      input: InProject,
      output: BroadcastStatus,
      isForWidgets: true,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        status:
          '`lost`: the encoder is disconnected, its channels are held for the hold time; `pause`: channels receive no media',
        bitrate:
          'kbps, average of the last five seconds; null until it is known, and while the encoder is disconnected',
        verdict: 'decided: `good`, `warning` or `problem`, and its reasons, the worst first',
        bitrate_max: 'decided: kbps that the tariff allows; null: no limit',
        bitrate_state:
          'decided: `high`: above the limit, the server will disconnect the encoder; `refused`: disconnected, and refused for a minute',
        bitrate_judged: 'decided: kbps over the last ten seconds, the base of `bitrate_state`',
        key_frame: 'seconds between keyframes',
        paths: 'decided: paths of a bonded encoder, each with its percent of the packets',
        stopped_broadcast_id: 'decided: the stopped broadcast whose encoder still sends; nothing is relayed',
      },
    }),
    pause: write('POST', 'pause', {
      name: 'Pause a broadcast',
      input: OfBroadcast,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:control',
      provenance: 'published',
      announces: 'broadcast',
    }),
    play: write('POST', 'play', {
      name: 'Go on with a paused broadcast',
      input: OfBroadcast,
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:control',
      provenance: 'published',
      announces: 'broadcast',
      notes: {
        broadcast_id: 'decided: a stopped broadcast; its encoder is disconnected and can go on air again',
      },
    }),
    stop: write('POST', 'stop', {
      name: 'Stop a broadcast',
      input: OfBroadcast,
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:control',
      provenance: 'published',
      announces: 'broadcast',
      notes: {
        broadcast_id: 'decided: an encoder that keeps sending stays off air until it restarts the stream',
      },
      stale: ['broadcasts', 'channels.channels'],
    }),
    retry: write('POST', 'restreams/retry', {
      name: 'Retry a channel now',
      input: z.extend(OfBroadcast, { channel_id: Id }),
      output: Success,
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:control',
      provenance: 'decided',
      announces: 'broadcast',
      stale: ['broadcasts.broadcasts.status', 'channels.channels'],
    }),
    list: read('list', {
      name: 'Get list of broadcasts',
      input: z.extend(z.extend(InProject, Page.shape), {
        order,
        date_from: z.optional(DateTime),
        date_to: z.optional(DateTime),
        platform: z.optional(z.string().check(z.maxLength(50))),
      }),
      output: pageOf(BroadcastRow),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      version: '3',
      notes: {
        date_from: 'decided: began at this moment or after it',
        date_to: 'decided: began before this moment',
        platform: 'decided: went to a channel of this type',
        viewers: 'maximum of concurrent viewers, on platforms that report them',
      },
    }),
    get: read('', {
      name: 'Get one broadcast',
      input: OfBroadcast,
      output: Broadcast,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      version: '3',
    }),
    events: read('events', {
      name: 'Get events of a broadcast',
      input: z.extend(OfBroadcast, eventFilters),
      output: EventPage,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      version: '4',
      notes: eventNotes,
    }),
    eventItem: read('events/item', {
      name: 'Get one event of a broadcast',
      input: z.extend(InProject, { id: Id, date: z.optional(DateTime) }),
      output: BroadcastEvent,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: { date: '`created_at` of the event; optional, a different value is refused' },
    }),
    bitrate: read('graph/bitrate', {
      name: 'Get graph of bitrate',
      input: OfBroadcast,
      output: Graph,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      version: '3',
      notes: { data: 'kbps, averaged over a step', labels: 'Unix seconds of the start of each step' },
    }),
    viewers: read('graph/viewers', {
      name: 'Get graph of viewers',
      input: OfBroadcast,
      output: Graph,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      version: '3',
      notes: { data: 'viewers on all platforms that report them', labels: 'Unix seconds of the start of each step' },
    }),
    restreams: read('restreams', {
      name: 'Get restreams',
      input: z.object({ broadcast_id: Id, project_id: z.optional(Id), key: z.optional(Key) }),
      output: LiveRestreams,
      isForWidgets: true,
      auth: 'none',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        ...liveNotes,
        project_id: 'left out: the project of `key`, else the project of the broadcast',
        key: 'chat key of the project (`chat/key`); left out: an access token of a member is needed. The call of a widget repeats its token here',
      },
    }),
    restreamsChat: read('restreams-chat', {
      name: 'Get restreams for the chat',
      input: z.object({ broadcast_id: Id, key: Key }),
      output: listOf(
        z.object({
          restream_id: z.int(),
          channel_id: z.int(),
          name: z.string(),
          image: z.string(),
          platform: z.string(),
          viewers: z.nullable(z.int()),
        }),
      ),
      auth: 'none',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: { key: 'chat key of the project (`chat/key`)' },
    }),
    longpoll: read('longpoll', {
      name: 'Connect channel, long polling',
      input: z.object({ key: Key, wait: z._default(z.int().check(z.minimum(0), z.maximum(25)), 25) }),
      output: z.optional(Current),
      auth: 'none',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        key: 'chat key of the project (`chat/key`)',
        wait: 'decided: seconds to wait for a broadcast; then 204 and no body',
        access_token:
          'of the subscription to `$broadcast:{broadcast_id}`; our own hub takes it for the connection as well',
        connection_token: 'decided: of the realtime connection',
      },
    }),
    credentials: read('credentials', {
      name: 'Get credentials of the encoder',
      input: InProject,
      output: z.object({ key: z.string(), ingresses: z.array(z.object({ url: z.string(), region: z.string() })) }),
      auth: 'viewer',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { key: 'whole for editors; for viewers only its last four signs' },
    }),
  },
)
