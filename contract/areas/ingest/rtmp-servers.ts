// RtmpServer: ingest servers, their load, and the recommended one. A row has the fields of all three published versions.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { InProject, listOf, Nothing } from '#contract/core/wire.ts'
import { Country, Health, intervals, Load, NoServers, serverList, ServerUrl } from '#contract/entities/ingest.ts'

/** Quality of the connection from a server to one platform. */
const PlatformQuality = z.object({
  id: z.int(),
  quality: z.number(),
  title: z.string(),
  status: Health,
  reconnect: z.int(),
})

/** Load and health: fields of versions 1 and 2. */
const loads = {
  network: Load,
  cpu: Load,
  ram: Load,
  quality: z.number(),
  serverStatus: Health,
  platforms: z.array(PlatformQuality),
}

/** Identity and location: fields of version 3. */
const place = {
  id: z.int(),
  pool_id: z.int(),
  city: z.string(),
  country: Country,
  urls: z.object({ rtmp: z.optional(ServerUrl), rtmps: z.optional(ServerUrl), srt: z.optional(ServerUrl) }),
  pingHost: z.string(),
  index: z.int(),
  options: z.object({ allowDedicatedServer: z.boolean() }),
}
const BaseServer = z.object(place)

/** Server for an encoder: v1 `url`, v2 `urls`, v3 `id` and `options`. */
export const IngestServer = z.object({
  ...place,
  url: z.string(),
  ...loads,
  silent: z.optional(z.boolean()),
  full: z.optional(z.boolean()),
  ffmpeg: z.optional(z.boolean()),
  bonding: z.optional(z.boolean()),
})
export type IngestServer = z.output<typeof IngestServer>

const ServerState = z.object({ city: z.string(), country: Country, lat: z.number(), long: z.number(), ...loads })

export const graphTypes = ['performance', 'network', 'cpu', 'ram', 'deliveredPackages'] as const
export const GraphType = z.enum(graphTypes)
export type GraphType = z.output<typeof GraphType>

const interval = z._default(z.literal(intervals), 1)
const units = {
  interval: 'hours',
  network: 'percent',
  cpu: 'percent',
  ram: 'percent',
  quality: '0 to 100, of the last five minutes',
  reason: 'decided: why there is no server, null where there is one',
}

/** SRT latency for lossy networks, as a multiple of the round-trip time: 3, 4 or 6. */
export const latencyProfiles = ['low', 'normal', 'safe'] as const

export const rtmpServers = group(
  'ingest.rtmp-servers',
  { prefix: 'rtmp_server', title: 'RtmpServer' },
  {
    list: read('list', {
      name: 'List rtmp servers',
      version: '2',
      input: z.extend(InProject, { interval }),
      output: serverList(IngestServer),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        ...units,
        url: 'version 1: the bare host',
        index: 'the best server has 0',
        silent: 'it has missed reports',
        full: 'it accepts no new broadcasts until its load falls',
        ffmpeg: 'it has ffmpeg: stills, MP4, transcoders, HLS and SRT need it',
        bonding: 'decided: bonded encoders (SRTLA) may enter by the SRT address',
      },
    }),
    baseList: read('base-list', {
      name: 'List rtmp servers without their load',
      input: Nothing,
      output: serverList(BaseServer),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      notes: { reason: units.reason },
    }),
    state: read('state', {
      name: 'State of rtmp servers',
      input: z.object({ interval }),
      output: serverList(ServerState),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      notes: units,
    }),
    graph: read('graph', {
      name: 'Graph of rtmp servers',
      input: z.object({ interval, type: z._default(GraphType, 'network') }),
      output: z.object({
        type: GraphType,
        timeLine: z.array(z.int()),
        countries: z.array(
          z.object({
            countryName: z.string(),
            cities: z.array(z.object({ cityName: z.string(), chartData: z.array(z.nullable(z.number())) })),
          }),
        ),
      }),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      notes: {
        interval: 'hours',
        timeLine: 'Unix seconds: where each of the 60 stretches begins',
        chartData: 'percent; null where nothing was reported',
      },
    }),
    up: read('up', {
      name: 'Whether servers take streams',
      input: Nothing,
      output: z.object({
        up: z.boolean(),
        reason: z.nullable(NoServers),
        servers: z.object({ total: z.int(), good: z.int(), problem: z.int(), bad: z.int() }),
        date_report: z.nullable(DateTime),
      }),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      carries: [],
      notes: { up: 'at least one server is not bad', date_report: 'time of the last report of a server' },
    }),
    locations: read('list_locations_unauthorized', {
      name: 'Locations list for unauthorized users',
      input: Nothing,
      output: listOf(z.object({ name: z.string(), host: z.string(), url: z.string() })),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: { host: 'where a browser measures the latency', url: 'of the RTMP server' },
    }),
    srtLatency: read('srt-latency', {
      name: 'Latency to set for SRT',
      input: z.object({
        dst_ip: z.string().check(z.minLength(1), z.maxLength(255)),
        rtt: z.optional(z.int().check(z.minimum(0), z.maximum(60_000))),
        profile: z._default(z.enum(latencyProfiles), 'normal'),
      }),
      output: z.object({
        src_ip: z.string(),
        dst_ip: z.string(),
        profile: z.enum(latencyProfiles),
        latency: z.nullable(z.int()),
        found: z.boolean(),
        stale: z.boolean(),
        generated_at: z.nullable(DateTime),
        message: z.string(),
      }),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      notes: {
        dst_ip: '`pingHost` of a server',
        rtt: 'there and back as the caller measured it, milliseconds',
        latency: 'milliseconds; null when the server is unknown or nothing was measured',
        stale: 'the server has not reported lately',
      },
    }),
  },
)
