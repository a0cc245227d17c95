// The supported part of Centrifugo's JSON protocol, version 2: commands of clients, codes of the server.
import * as z from 'zod/mini'

const text = z.string().check(z.maxLength(8_192))
const channel = z.string().check(z.minLength(1), z.maxLength(255))
const position = { offset: z.optional(z.int()), epoch: z.optional(text) }

/** A command. Unknown fields are ignored. */
export const Command = z.object({
  id: z.optional(z.int().check(z.minimum(0), z.maximum(4_294_967_295))),
  connect: z.optional(z.object({ token: z.optional(text) })),
  subscribe: z.optional(z.object({ channel, token: z.optional(text), recover: z.optional(z.boolean()), ...position })),
  unsubscribe: z.optional(z.object({ channel })),
  refresh: z.optional(z.object({ token: z.optional(text) })),
  sub_refresh: z.optional(z.object({ channel, token: z.optional(text) })),
  history: z.optional(
    z.object({
      channel,
      limit: z.optional(z.int()),
      reverse: z.optional(z.boolean()),
      since: z.optional(z.object(position)),
    }),
  ),
  publish: z.optional(z.unknown()),
  presence: z.optional(z.unknown()),
  presence_stats: z.optional(z.unknown()),
  rpc: z.optional(z.unknown()),
  send: z.optional(z.unknown()),
})
export type Command = z.output<typeof Command>

/** Parses the commands of a frame, one per line; null if one is malformed. */
export function readLines(lines: readonly string[]): Command[] | null {
  const commands: Command[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    const command = readLine(line)
    if (!command) return null
    commands.push(command)
  }
  return commands
}

function readLine(line: string): Command | null {
  try {
    const read = Command.safeParse(JSON.parse(line))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** Errors of commands. `temporary`: the client retries. */
export const errors = {
  internal: { code: 100, message: 'internal server error', temporary: true },
  unauthorized: { code: 101, message: 'unauthorized' },
  unknownChannel: { code: 102, message: 'unknown channel' },
  permissionDenied: { code: 103, message: 'permission denied' },
  methodNotFound: { code: 104, message: 'method not found' },
  alreadySubscribed: { code: 105, message: 'already subscribed' },
  limitExceeded: { code: 106, message: 'limit exceeded' },
  badRequest: { code: 107, message: 'bad request' },
  notAvailable: { code: 108, message: 'not available' },
  tokenExpired: { code: 109, message: 'token expired' },
} as const
export type Refusal = (typeof errors)[keyof typeof errors]

/** Close codes of the WebSocket. Clients reconnect after codes below 3500. */
export const closes = {
  shutdown: [3001, 'shutdown'],
  expired: [3005, 'connection expired'],
  slow: [3008, 'slow'],
  reconnect: [3011, 'force reconnect'],
  noPong: [3012, 'no pong'],
  tooMany: [3013, 'too many requests'],
  invalidToken: [3500, 'invalid token'],
  badRequest: [3501, 'bad request'],
  stale: [3502, 'stale'],
  forced: [3503, 'force disconnect'],
  connectionLimit: [3504, 'connection limit'],
  keyLimit: [3504, 'connection limit of the key'],
} as const
export type Closing = (typeof closes)[keyof typeof closes]

/** Codes of ended subscriptions. Clients subscribe again after codes from 2500 on. */
export const unsubscribes = {
  server: { code: 2000, reason: 'server unsubscribe' },
  expired: { code: 2501, reason: 'subscription expired' },
} as const

/** A publication with its offset in the channel. */
export interface Positioned {
  readonly offset: number
  readonly data: unknown
}
