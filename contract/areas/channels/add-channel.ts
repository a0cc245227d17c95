// Operations that add a channel: one published route per platform, generated from tables, and our own for all platforms.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import type { Schema } from '#contract/core/operation.ts'
import { write } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'
import { PlatformType } from '#contract/entities/channel.ts'
import { keyPlatforms, pagePlatforms } from '#contract/platforms/platforms.ts'
import { address, channelName, channelUrl, streamKey } from './address.ts'

const platformId = z.string().check(z.minLength(1), z.maxLength(255))
const Keyed = z.extend(InProject, { rtmp_url: address, stream_key: streamKey })

/** Input of each kind of route beside the project. */
const inputs = {
  key: z.extend(Keyed, { name: channelName }),
  page: z.extend(Keyed, { channel_url: channelUrl }),
  vk: z.extend(InProject, { channel_id: platformId, account_id: platformId }),
  ok: z.extend(Keyed, { channel_id: platformId, account_id: platformId }),
  srt: z.extend(InProject, { name: channelName, ingress_url: address }),
  any: z.extend(Keyed, {
    type: PlatformType,
    name: channelName,
    channel_url: z.optional(z.string().check(z.maxLength(1000))),
  }),
}

/** The new channel (decided: the published response has no body). Not `active`: the tariff's channel limit is reached. */
export const Added = z.object({ success: z.boolean(), channel_id: z.int(), active: z.boolean() })

function add<I extends Schema>(segment: string, input: I, provenance: 'published' | 'decided' = 'published') {
  return write('POST', segment, {
    name: segment === '' ? 'Add channel of any platform by address and key' : `Add ${segment} channel`,
    input,
    output: Added,
    status: 201,
    auth: 'editor',
    scope: 'channels:write',
    provenance,
    replay: 'never',
  })
}

/** One row per platform. */
const family = <P extends string, I extends Schema>(platforms: readonly P[], input: I) =>
  Object.fromEntries(platforms.map((type) => [type, add(type, input)])) as {
    [K in P]: ReturnType<typeof add<I>>
  }

export const addChannel = group(
  'channels.add-channel',
  { prefix: 'channel/add', title: 'Channel' },
  {
    ...family(keyPlatforms, inputs.key),
    ...family(pagePlatforms, inputs.page),
    vk: add('vk', inputs.vk),
    ok: add('ok', inputs.ok),
    srt: add('srt', inputs.srt),
    any: add('', inputs.any, 'decided'),
  },
)
