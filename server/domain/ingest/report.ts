// Reports of relay nodes about themselves, sent every 30 seconds. Nodes are remote programs, so reports are validated.
import * as z from 'zod/mini'
import { keyPlaceholder } from '#contract/entities/ingest.ts'

const percent = z.number().check(z.minimum(0), z.maximum(100))
const host = z.string().check(z.regex(/^[a-zA-Z0-9.:[\]-]{1,255}$/))
const address = (scheme: string) =>
  z.string().check(
    z.maxLength(500),
    z.refine((value) => URL.parse(value)?.protocol === `${scheme}:`),
  )
const withKey = (...schemes: string[]) =>
  z.optional(
    z.string().check(
      z.maxLength(500),
      z.refine((value) => value.includes(keyPlaceholder) && schemes.some((scheme) => value.startsWith(`${scheme}://`))),
    ),
  )

/** Capabilities of a node's ffmpeg. */
const NodeFfmpeg = z.object({
  version: z.string().check(z.maxLength(100)),
  /** Encodes H.264. */
  x264: z.boolean(),
  /** Encodes HEVC. */
  x265: z.boolean(),
  /** Speaks SRT. */
  srt: z.boolean(),
  /** Encoders of graphics cards that work, such as `h264_nvenc`. */
  cards: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20))),
})
export type Ffmpeg = z.output<typeof NodeFfmpeg>

/** A report. Addresses are public. */
export const NodeReport = z.object({
  /** Name of the node, the same after a restart. */
  node: z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/)),
  /** Machine of the process. Older nodes do not report it: it has their name. */
  machine: z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/))),
  /** Time by the node's clock. It identifies the report together with `node`. */
  time: z.iso.datetime(),
  /** Number of its group of nodes. */
  pool: z._default(z.int().check(z.minimum(0), z.maximum(2_147_483_647)), 0),
  city: z.string().check(z.minLength(1), z.maxLength(100)),
  /** ISO 3166-1 alpha-2; `ZZ`: unknown. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/)),
  lat: z.number().check(z.minimum(-90), z.maximum(90)),
  long: z.number().check(z.minimum(-180), z.maximum(180)),
  /** May be reserved for one project. */
  dedicated: z._default(z.boolean(), false),
  /** Host and port that browsers measure latency with: it serves `GET /healthz`. Empty: none. */
  pingHost: z._default(z.union([z.literal(''), host]), ''),
  /** Runs on the machine of the service: browsers may measure latency with the service instead. */
  beside: z._default(z.boolean(), false),
  /** Without the key: `rtmp://host:1935/live`, `srt://host:8093`. */
  rtmp: z.optional(address('rtmp')),
  rtmps: z.optional(address('rtmps')),
  srt: z.optional(address('srt')),
  /** Bonded encoders (SRTLA) may enter by the SRT port. Older nodes, and several processes on one port, do not take them. */
  bonding: z._default(z.boolean(), false),
  /** Takes streams of browsers. Older nodes do not. */
  browser: z._default(z.boolean(), false),
  /** Fetches remote sources. Older nodes do not. */
  remote: z._default(z.boolean(), false),
  /** Plays scheduled files. Older nodes do not. */
  plays: z._default(z.boolean(), false),
  /** Most bytes of a film that it shows or plays. Older nodes do not report it. */
  filmBytesMax: z.optional(z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))),
  /** Addresses that players fetch streams from, with `{{key}}`. */
  pull: z.optional(z.object({ rtmp: withKey('rtmp'), srt: withKey('srt'), hls: withKey('http', 'https') })),
  /** Null: not installed. */
  ffmpeg: z._default(z.nullable(NodeFfmpeg), null),
  /** Transcoders that it may run at the same time, and how many more it can run now. Older nodes do not report them. */
  transcoders: z.optional(
    z.object({
      max: z.int().check(z.minimum(0), z.maximum(10_000)),
      free: z.int().check(z.minimum(0), z.maximum(10_000)),
    }),
  ),
  /** Unix milliseconds at which a draining node disconnects its last encoders; null: it does not drain. Older nodes do not report it, and cannot drain. */
  drainUntil: z.optional(z.nullable(z.int().check(z.minimum(0)))),
  /** Release of the node, such as `1.2.0`. */
  release: z.optional(z.string().check(z.maxLength(50))),
  /** It accepts no new projects. */
  full: z._default(z.boolean(), false),
  load: z.object({ network: percent, cpu: percent, ram: percent, delivered: percent }),
  /** Platforms that it sent to since the previous report, by id. */
  platforms: z._default(
    z
      .array(z.object({ id: z.int(), delivered: percent, reconnects: z.int().check(z.minimum(0)) }))
      .check(z.maxLength(100)),
    [],
  ),
})
export type NodeReport = z.output<typeof NodeReport>
/** A report as a node sends it. */
export type SentReport = z.input<typeof NodeReport>
