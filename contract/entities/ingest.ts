// Where streams come in and go out by pulling: servers, their load and health, and how a key stands in an address.
import * as z from 'zod/mini'

/** Where the key goes in an address (published). */
export const keyPlaceholder = '{{key}}'

/** A country: `code` is ISO 3166-1 alpha-2, `name` in the language of the call. */
export const Country = z.object({ name: z.string(), code: z.string(), id: z.int() })

/** Health of a server, of a platform as seen from it, of anything with a quality. */
export const Health = z.enum(['good', 'problem', 'bad'])
export type Health = z.output<typeof Health>

/** Hours that loads are summed up over. */
export const intervals = [1, 3, 6, 12, 24] as const
export type Interval = (typeof intervals)[number]

/** A load over an interval, percent of what the server has. */
export const Load = z.object({ avg: z.number(), max: z.number() })

/** An address: `value` is what goes into the field "Server" of an encoder, `mask` the whole of it with `{{key}}`. */
export const ServerUrl = z.object({ mask: z.string(), value: z.string() })

/** Ways to fetch a project's stream from here. */
export const transports = ['rtmp', 'srt', 'hls'] as const
export const Transport = z.enum(transports)
export type Transport = z.output<typeof Transport>

/** Why a list of servers is empty: none has ever reported, or those that did have been silent for too long. */
export const NoServers = z.enum(['none_reported', 'all_silent'])
export type NoServers = z.output<typeof NoServers>

/** A list of servers, with the reason where it is empty. */
export const serverList = <T extends z.ZodMiniType>(server: T) =>
  z.object({ results: z.array(server), reason: z.optional(z.nullable(NoServers)) })
