// The realtime hub of one process: connections, channels, and what ends them. It knows no HTTP and no SQL of ours; who
// may come in and who may stay is asked of whoever makes it.
import type { WebSocket } from 'ws'
import { channelNames, type Channel as ChannelOf } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import type { Holder, RealtimeClaims } from '#server/domain/realtime/tokens.ts'
import { Channel } from './channel.ts'
import { Connection } from './connection.ts'
import { closes, unsubscribes } from './protocol.ts'
import { Strangers } from './strangers.ts'

const connectionsPerPerson = 50
const tendMs = 1_000
const recheckMs = 60_000

/** Publications of which the newest says all that those before it said. */
const replacing: readonly string[] = ['live-status', 'project-update', 'notification']

export interface HubOptions {
  /** Default 25 and 10. */
  readonly pingSeconds?: number
  readonly pongSeconds?: number
  /** Seconds since 1970, by the service's clock. */
  now(): number
  read(token: string): Promise<RealtimeClaims | null>
  /** Of these people in these projects, what each may still listen to; whoever is not in the answer has lost it. */
  rights(who: readonly (Holder & { readonly project_id: number })[]): Promise<readonly Right[]>
  onFault(error: unknown): void
}

/** What a session may in a project. */
export interface Right {
  readonly session_id: number
  readonly project_id: number
  /** May it listen to a channel of this name? */
  may(channel: string): boolean
}

export interface Hub {
  /**
   * Whether a client may connect. Makes room for it where too many connections have not authenticated.
   * @param network address of the client, see `networkOf`
   * @returns false: not now; the client should try again
   */
  admit(network: string): boolean
  /** Takes a connection of a client that was admitted. */
  accept(socket: WebSocket, network: string): void
  publish(channel: ChannelOf, data: Publication): void
  /** Looks who has lost their rights, soon. */
  recheck(): void
  /**
   * Takes connections, or none: what is published elsewhere cannot be heard, and clients had better know that. Whoever is
   * there goes, and comes back as somebody who may have missed something.
   */
  stand(isStanding: boolean): void
  /** For metrics. */
  count(): { readonly connections: number; readonly channels: number }
  close(): void
}

/** Makes a hub. */
export function createHub(options: HubOptions): Hub {
  const connections = new Set<Connection>()
  const channels = new Map<string, Channel>()
  const strangers = new Strangers()
  const around = {
    pingSeconds: options.pingSeconds ?? 25,
    pongSeconds: options.pongSeconds ?? 10,
    now: options.now,
    read: options.read,
    onFault: options.onFault,
    channel,
    mayEnter,
    authenticated: (connection: Connection) => strangers.delete(connection),
  }

  function channel(name: string): Channel {
    const known = channels.get(name)
    if (known) return known
    const made = new Channel(name, Date.now())
    channels.set(name, made)
    return made
  }

  function countOf(which: (connection: Connection) => boolean): number {
    let count = 0
    for (const connection of connections) if (which(connection)) count++
    return count
  }

  async function mayEnter({ holder, sub }: RealtimeClaims) {
    if (!holder) return true
    if (countOf(({ claims }) => claims?.holder?.user_id === holder.user_id) >= connectionsPerPerson)
      return closes.connectionLimit
    return (await options.rights([{ ...holder, project_id: Number(sub) }])).length > 0
  }

  let isStanding = true
  function stand(now: boolean): void {
    if (isStanding && !now) {
      for (const connection of connections) connection.close(closes.reconnect)
      channels.clear()
    }
    isStanding = now
  }

  function accept(socket: WebSocket, network: string): void {
    const connection = new Connection(socket, network, around)
    connections.add(connection)
    strangers.add(connection)
    socket.on('close', () => {
      connection.leave()
      connections.delete(connection)
      strangers.delete(connection)
    })
  }

  function publish(about: ChannelOf, data: Publication): void {
    const replaces = 'event' in data && replacing.includes(data.event) ? data.event : null
    for (const name of channelNames(about)) channel(name).publish(data, replaces, Date.now())
  }

  async function check(): Promise<void> {
    const known = [...connections].flatMap((connection) => {
      const { claims } = connection
      return claims?.holder ? [{ connection, who: { ...claims.holder, project_id: Number(claims.sub) } }] : []
    })
    const rights = new Map((await options.rights(known.map(({ who }) => who))).map((right) => [keyOf(right), right]))
    for (const { connection, who } of known) {
      const right = rights.get(keyOf(who))
      if (!right) connection.close(closes.forced)
      else
        for (const name of connection.channels.keys()) if (!right.may(name)) connection.end(name, unsubscribes.server)
    }
  }

  let checking: Promise<void> | null = null
  let again = false
  function recheck(): void {
    if (checking) again = true
    else
      checking = check()
        .catch(options.onFault)
        .finally(() => {
          checking = null
          if (again) recheck()
          again = false
        })
  }

  const tending = setInterval(() => {
    const now = Date.now()
    for (const connection of connections) connection.tend(now)
  }, tendMs).unref()
  const sweeping = setInterval(() => {
    for (const [name, one] of channels) if (one.sweep(Date.now())) channels.delete(name)
    if (connections.size > 0) recheck()
  }, recheckMs).unref()

  return {
    admit: (network) => isStanding && strangers.admit(network, Date.now()),
    accept,
    publish,
    recheck,
    stand,
    count: () => ({ connections: connections.size, channels: channels.size }),
    close() {
      clearInterval(tending)
      clearInterval(sweeping)
      for (const connection of connections) connection.close(closes.shutdown)
    },
  }
}

const keyOf = ({ session_id, project_id }: { readonly session_id: number; readonly project_id: number }) =>
  `${session_id} ${project_id}`
