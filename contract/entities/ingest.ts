// Ingest and pull servers: load, health, and addresses with a key.
import * as z from 'zod/mini'

/** Placeholder of the key in an address (published). */
export const keyPlaceholder = '{{key}}'

/** Suffix of the stream key for a backup encoder (decided). */
export const backupSuffix = '-backup'

/** A country: `code` is ISO 3166-1 alpha-2, `name` in the language of the call. */
export const Country = z.object({ name: z.string(), code: z.string(), id: z.int() })

/** Health of a server, or of a platform as measured from it. */
export const Health = z.enum(['good', 'problem', 'bad'])
export type Health = z.output<typeof Health>

/** Intervals of load averages, hours. */
export const intervals = [1, 3, 6, 12, 24] as const
export type Interval = (typeof intervals)[number]

/** Load over an interval, percent of the server's capacity. */
export const Load = z.object({ avg: z.number(), max: z.number() })

/** Address: `value` for the field "Server" of an encoder, `mask` the full address with `{{key}}`. */
export const ServerUrl = z.object({ mask: z.string(), value: z.string() })

/** Transports for pulling a project's stream. */
export const transports = ['rtmp', 'srt', 'hls'] as const
export const Transport = z.enum(transports)
export type Transport = z.output<typeof Transport>

/** State of a relay node. `full`: no room for another project. `draining`: it ends after its broadcasts. `silent`: no report for 90 s. */
export const NodeState = z.enum(['accepting', 'full', 'draining', 'silent'])
export type NodeState = z.output<typeof NodeState>

/**
 * Reason why a list of servers is empty: no server has ever reported, all reports are too old, or another program uses a port of
 * this machine's relay.
 */
export const NoServers = z.enum(['none_reported', 'all_silent', 'port_taken'])
export type NoServers = z.output<typeof NoServers>

/** List of servers, with the reason when it is empty. `ports`: at `port_taken`, the TCP ports that the relay needs. */
export const serverList = <T extends z.ZodMiniType>(server: T) =>
  z.object({
    results: z.array(server),
    reason: z.optional(z.nullable(NoServers)),
    ports: z.optional(z.array(z.int())),
  })
