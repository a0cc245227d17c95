// Schemas of channels and platforms. On the wire the id of a channel is `group_id` in responses and
// `channel_id` in parameters; responses are camelCase where their settings are written in snake_case (published).
import * as z from 'zod/mini'
import { LadderChoice, SilenceChoice, TrackChoice } from './tracks.ts'
import { maybe } from '#contract/core/lenient.ts'
import { platformTypes } from '#contract/platforms/platforms.ts'
import { ChannelRight } from './roles.ts'

export const PlatformType = z.enum(platformTypes)
export type PlatformType = z.output<typeof PlatformType>

/** A capability: 1 yes, 0 no (published as numbers). */
const Flag = z.literal([0, 1])

/**
 * Platform with its capabilities (published `PlatformsSupportedItem`). Decided: its ingest addresses (`ingests`,
 * `own_url`), the page with the key (`key_url`), whether accounts can be connected here (`oauth_ready`), and at
 * Telegram whether there is a bot that connects chats (`bot_ready`). Where either is 0, `missing_settings` names the
 * settings of the service that make it 1; with several ways, those of the first.
 */
export const Platform = z.object({
  id: z.int(),
  type: PlatformType,
  title: z.string(),
  url: z.string(),
  extension: z.enum(['png', 'svg']),
  /** 0: the platform has closed or accepts no new streams. */
  is_adding: Flag,
  oauth: Flag,
  read_chat: Flag,
  write_chat: Flag,
  edit_name: Flag,
  set_title: Flag,
  set_description: Flag,
  created_stream: Flag,
  rtmp_url: Flag,
  rtmp_key: Flag,
  planned: Flag,
  options: Flag,
  url_stream: Flag,
  viewers: Flag,
  messages: Flag,
  like: Flag,
  /** Public ingest addresses, the best one first: the user pastes only the key. */
  ingests: z.array(z.object({ title: z.string(), url: z.string() })),
  /** Domains of its servers, with their subdomains. Other addresses are custom, which the tariff has to allow. */
  hosts: z.array(z.string()),
  /** 1: each user has a personal ingest address at the platform. */
  own_url: Flag,
  /** Page of the platform that shows the key; empty without one. */
  key_url: z.string(),
  /** 1: this service is configured to connect accounts of the platform. */
  oauth_ready: Flag,
  bot_ready: z.optional(Flag),
  missing_settings: z.optional(z.array(z.string())),
})
export type Platform = z.output<typeof Platform>

/** State of a channel (published). */
export const ChannelStatus = z.enum([
  'init',
  'pending',
  'error',
  'live',
  'offline',
  'busy',
  'wait_transcoding',
  'running_transcoding',
  'error_transcoding',
])
export type ChannelStatus = z.output<typeof ChannelStatus>

const Named = z.object({ id: z.string(), name: z.string() })

/** Stream settings of a platform: one schema for all platforms, each has some of the fields. */
export const StreamInfo = z.object({
  title: z.string(),
  description: z.optional(z.string()),
  lang: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  category: z.optional(z.extend(Named, { secondary: z.optional(Named), image: z.optional(z.string()) })),
  playlist: z.optional(z.object({ id: z.string() })),
  privacyVideo: z.optional(z.string()),
  privacyComments: z.optional(z.string()),
  latency: z.optional(z.string()),
  audience: z.optional(z.string()),
  image: z.optional(z.string()),
  wall: z.optional(z.boolean()),
  domain: z.optional(z.string()),
  disableAutoEnd: z.optional(z.boolean()),
})
export type StreamInfo = z.output<typeof StreamInfo>

/** State of a token at the platform (published). */
const TokenStatus = z.object({ status: z.enum(['unused', 'invalid', 'deprecated', 'valid']) })

/** Placeholder for a secret that the reader may not see, or did not request. */
export const maskedSecret = '••••••••'

/** A channel of a project (published `SearchChannelItem`). */
export const Channel = z.object({
  name: z.string(),
  /** Id at the platform; empty when only the key is known. */
  id: z.string(),
  transcoderId: z.optional(z.int()),
  group_id: z.int(),
  type: PlatformType,
  photo_default: maybe(z.string()),
  sell: z.boolean(),
  price: maybe(z.number()),
  live: z.boolean(),
  status: ChannelStatus,
  user_id: maybe(z.int()),
  /** Active: the next broadcast includes it. */
  active: z.boolean(),
  /** Number of other projects that may use it. */
  guestsNum: z.int(),
  /** Access of this project to a channel of another one; null for its own. */
  guestRights: z.nullable(ChannelRight),
  /** 0 owned by the project, 1 shared with it. */
  usageType: z.int(),
  companyRole: z.nullable(z.int()),
  threads: z.int(),
  streamInfo: maybe(StreamInfo),
  /** `name` is the application, `query` is shown to editors only. */
  rtmp: z.nullable(
    z.object({
      name: z.string(),
      path: maybe(z.string()),
      port: maybe(z.int()),
      query: maybe(z.string()),
      domain: z.string(),
      protocol: z.string(),
    }),
  ),
  credentials: z.nullable(
    z.array(
      z.object({
        cid: z.int(),
        id: z.string(),
        status: z.int(),
        role: z.int(),
        personal: z.boolean(),
        update: z.boolean(),
      }),
    ),
  ),
  tokens: z.object({ account: TokenStatus, group: TokenStatus }),
  live_users: z.optional(
    z.array(
      z.object({
        restreamId: z.int(),
        userId: z.int(),
        video: maybe(z.string()),
        name: z.string(),
        photo: z.string(),
      }),
    ),
  ),
  platform: z.object({
    title: z.string(),
    type: PlatformType,
    url: maybe(z.string()),
    extension: z.enum(['png', 'svg']),
    edit_name: Flag,
  }),
  /** Seconds until the start of a scheduled channel. */
  timer: maybe(z.number()),
  /** Delay of the output, seconds. */
  delay: maybe(z.number()),
  tracks: z.optional(TrackChoice),
  silence: z.optional(SilenceChoice),
  ladder: z.optional(LadderChoice),
  /** A new broadcast is made when the platform shows the old one no longer; only where that is possible. */
  healing: z.optional(z.boolean()),
  /** Address without its secrets, in the form that users type. */
  ingress_url: maybe(z.string()),
  ingress_protocol: maybe(z.enum(['rtmp', 'rtmps', 'srt'])),
  /** Key for editors in the response for a single channel; `maskedSecret` for others and in lists; null without a key. */
  stream_key: maybe(z.string()),
  /** Rights of the caller: those that both the role and the project's right to the channel give. */
  access_type: ChannelRight,
  /** Account that created the channel; null for a channel added by address and key. */
  account: z.nullable(z.object({ id: z.int(), name: z.string() })),
  /** Page of the channel at the platform; empty when unknown. */
  channel_url: z.string(),
  /**
   * Last test, by hand or by a broadcast. `ok`: the platform accepted a stream. `reachable`: the server answers, the key is not
   * proven. `rejected`: the platform refused the stream. Otherwise the reason of the failure; null: not tested.
   */
  test: maybe(z.object({ reason: z.string(), date: z.string() })),
})
export type Channel = z.output<typeof Channel>
