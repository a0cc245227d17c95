// The realtime hub of one process: connections and channels. It depends on neither HTTP nor SQL: callbacks read tokens
// and rights.
import { setTimeout as delay } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { channelNames, type Channel as ChannelOf, readChannel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import type { Holder, RealtimeClaims } from '#server/domain/realtime/tokens.ts'
import { Channel } from './channel.ts'
import { Connection } from './connection.ts'
import { closes } from './protocol.ts'
import { createRightsCheck, projectOf, type ReadRights } from './rights-check.ts'
import { UnauthenticatedConnections } from './unauthenticated.ts'

const connectionsPerUser = 50
/** An overlay or a dock has one connection: 100 are more than a studio has sources. */
const connectionsPerKey = 100
const tendMs = 1_000
const recheckMs = 60_000
/** `leave` closes connections in rounds: at least so many in one, in at most so many rounds, 5 s in all. */
const leaving = { leastPerRound: 5, roundsMax: 100, roundMs: 50 } as const

export interface HubOptions {
  /** Default 25 and 10. */
  readonly pingSeconds?: number
  readonly pongSeconds?: number
  /** Seconds since 1970, by the service's clock. */
  now(): number
  read(token: string): Promise<RealtimeClaims | null>
  rights: ReadRights
  onFault(error: unknown): void
}

export interface Hub {
  /**
   * Returns whether a client may connect. Closes older connections if too many have not authenticated.
   * @param network address of the client, see `networkOf`
   * @returns false: refused; the client should retry
   */
  admit(network: string): boolean
  /** Accepts the connection of an admitted client. */
  accept(socket: WebSocket, network: string): void
  publish(channel: ChannelOf, data: Publication): void
  /** Checks the rights of all connections. */
  recheck(): void
  /**
   * Starts or stops accepting connections, for example while other replicas are unreachable and their publications would
   * be lost. Stopping closes all connections; their clients reconnect and recover.
   */
  stand(isStanding: boolean): void
  /**
   * Accepts no more connections, and closes those that are open spread over up to 5 s: all clients at once would overload the other
   * replicas. Publications continue meanwhile.
   */
  leave(): Promise<void>
  /** Returns the projects whose live channel has subscribers. */
  watched(): number[]
  /** For metrics. */
  count(): { readonly connections: number; readonly channels: number }
  close(): void
}

/** Creates a hub. */
export function createHub(options: HubOptions): Hub {
  const connections = new Set<Connection>()
  const channels = new Map<string, Channel>()
  const unauthenticated = new UnauthenticatedConnections()
  const access = {
    pingSeconds: options.pingSeconds ?? 25,
    pongSeconds: options.pongSeconds ?? 10,
    now: options.now,
    read: options.read,
    onFault: options.onFault,
    channel,
    mayEnter,
    authenticated: (connection: Connection) => unauthenticated.delete(connection),
  }

  function channel(name: string): Channel {
    const known = channels.get(name)
    if (known) return known
    const created = new Channel(name, Date.now())
    channels.set(name, created)
    return created
  }

  function countOf(which: (connection: Connection) => boolean): number {
    let count = 0
    for (const connection of connections) if (which(connection)) count++
    return count
  }

  async function mayEnter({ holder, sub }: RealtimeClaims) {
    if (!holder) return false
    const isUser = 'user_id' in holder
    const max = isUser ? connectionsPerUser : connectionsPerKey
    if (countOf(({ claims }) => isSame(claims?.holder, holder)) >= max)
      return isUser ? closes.connectionLimit : closes.keyLimit
    return (await options.rights([{ ...holder, project_id: projectOf(sub) }])).length > 0
  }

  let isStanding = true
  let isLeaving = false
  function stand(now: boolean): void {
    if (isStanding && !now) {
      for (const connection of connections) connection.close(closes.reconnect)
      channels.clear()
    }
    isStanding = now
  }

  async function leave(): Promise<void> {
    isLeaving = true
    const open = [...connections]
    const perRound = Math.max(leaving.leastPerRound, Math.ceil(open.length / leaving.roundsMax))
    while (open.length > 0) {
      for (const connection of open.splice(0, perRound)) connection.close(closes.shutdown)
      if (open.length > 0) await delay(leaving.roundMs)
    }
  }

  function accept(socket: WebSocket, network: string): void {
    const connection = new Connection(socket, network, access)
    connections.add(connection)
    unauthenticated.add(connection)
    socket.on('close', () => {
      connection.leave()
      connections.delete(connection)
      unauthenticated.delete(connection)
    })
  }

  function publish(about: ChannelOf, data: Publication): void {
    for (const name of channelNames(about)) channel(name).publish(data, Date.now())
  }

  const recheck = createRightsCheck({ connections, rights: options.rights, onFault: options.onFault })

  const tending = setInterval(() => {
    const now = Date.now()
    for (const connection of connections) connection.tend(now)
  }, tendMs).unref()
  const sweeping = setInterval(() => {
    for (const [name, one] of channels) if (one.sweep(Date.now())) channels.delete(name)
    if (connections.size > 0) recheck()
  }, recheckMs).unref()

  return {
    admit: (network) => isStanding && !isLeaving && unauthenticated.admit(network, Date.now()),
    accept,
    publish,
    recheck,
    stand,
    leave,
    watched: () =>
      [...channels].flatMap(([name, { listeners }]) => {
        const about = listeners.size > 0 ? readChannel(name) : null
        return about?.type === 'project_live' ? [about.id] : []
      }),
    count: () => ({ connections: connections.size, channels: channels.size }),
    close() {
      clearInterval(tending)
      clearInterval(sweeping)
      for (const connection of connections) connection.close(closes.shutdown)
    },
  }
}

/** Returns whether both are connections of one user or of one chat key. */
const isSame = (one: Holder | null | undefined, other: Holder): boolean =>
  !!one &&
  ('user_id' in other
    ? 'user_id' in one && one.user_id === other.user_id
    : 'key_id' in one && one.key_id === other.key_id)
