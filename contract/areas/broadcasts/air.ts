// What is on air, and what a person does with it at once: of the group of broadcasts, which has it whole. Apart from the rest
// of it, because the control room comes first and needs no more.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Success } from '#contract/core/wire.ts'
import { BroadcastStatus } from '#contract/entities/on-air.ts'

/** What names a broadcast. */
export const OfBroadcast = z.extend(InProject, { broadcast_id: Id })

export const air = group(
  'broadcasts.broadcasts',
  { prefix: 'broadcast', title: 'Broadcast' },
  {
    status: read('status', {
      name: 'Get status of broadcast',
      input: InProject,
      output: BroadcastStatus,
      auth: 'viewer',
      provenance: 'published',
      notes: {
        status:
          '`lost`: the encoder is away, its channels are kept for the time of grace; `pause`: nothing is passed on',
        bitrate: 'kbps, measured over the last second',
        bitrate_max: 'decided: kbps that the tariff allows; null: no limit',
        bitrate_state:
          'decided: `high`: above it for a while, the encoder is going to be sent away; `refused`: it was, for a minute',
        bitrate_judged: 'decided: kbps over the last ten seconds, which `bitrate_state` goes by',
        key_frame: 'seconds between keyframes',
        stopped_broadcast_id: 'decided: this one was stopped, and its encoder goes on sending: nothing comes of it',
      },
    }),
    pause: write('POST', 'pause', {
      name: 'Pause a broadcast',
      input: OfBroadcast,
      output: Success,
      status: 201,
      auth: 'editor',
      provenance: 'published',
    }),
    play: write('POST', 'play', {
      name: 'Go on with a paused broadcast',
      input: OfBroadcast,
      output: Success,
      status: 201,
      auth: 'editor',
      provenance: 'published',
      notes: {
        broadcast_id: 'decided: of one that was stopped: its encoder is asked to connect anew, and may be on air',
      },
    }),
    stop: write('POST', 'stop', {
      name: 'Stop a broadcast',
      input: OfBroadcast,
      output: Success,
      auth: 'editor',
      provenance: 'published',
      notes: {
        broadcast_id: 'decided: an encoder that goes on sending is not on air again until it was stopped there',
      },
    }),
    retry: write('POST', 'restreams/retry', {
      name: 'Try a channel again at once',
      input: z.extend(OfBroadcast, { channel_id: Id }),
      output: Success,
      status: 201,
      auth: 'editor',
      provenance: 'decided',
    }),
  },
)
