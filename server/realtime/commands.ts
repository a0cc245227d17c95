// Handlers of client commands: connect, subscribe, refresh and history.
import { randomUUID } from 'node:crypto'
import { readChannel } from '#contract/events/channels.ts'
import type { RealtimeClaims } from '#server/domain/realtime/tokens.ts'
import type { Channel, Listener } from './channel.ts'
import { type Closing, closes, type Command, errors, type Refusal, unsubscribes } from './protocol.ts'

/** Subscriptions of one connection. */
const channelsMax = 32
/** Publications of one response. */
const historyMax = 100

/** The functions of the hub that connections use. */
export interface HubAccess<C> {
  readonly pingSeconds: number
  /** Timeout of the response to a ping. */
  readonly pongSeconds: number
  /** Seconds since 1970, by the service's clock. */
  now(): number
  read(token: string): Promise<RealtimeClaims | null>
  /** Returns whether the session is active, or why its user may not open another connection. */
  mayEnter(claims: RealtimeClaims): Promise<boolean | Closing>
  channel(name: string): Channel
  /** Called when a connection has claims. */
  authenticated(connection: C): void
  onFault(error: unknown): void
}

/** The connection that sent a command. */
export interface CommandConnection extends Listener {
  /** Null until `connect` succeeds. */
  claims: RealtimeClaims | null
  /** Channels and the ends of their subscriptions, seconds since 1970; 0: never. */
  readonly channels: Map<string, number>
  isOpen(): boolean
  close(closing: Closing): void
  /** Ends one subscription, and notifies the client. */
  end(name: string, reason: { readonly code: number; readonly reason: string }): void
}

type Reply = Readonly<Record<string, unknown>>
type Input<K extends keyof Command> = Command[K] & object

/** Handlers of a connection's commands. */
export class Commands<C extends CommandConnection> {
  readonly #connection: C
  readonly #hub: HubAccess<C>

  constructor(connection: C, hub: HubAccess<C>) {
    this.#connection = connection
    this.#hub = hub
  }

  /** Executes a command. @returns null: no response */
  async execute(command: Command): Promise<Reply | null> {
    if (command.connect) return this.#connect(command.connect.token ?? '')
    const { claims } = this.#connection
    // Before `connect` succeeds, only `send` is tolerated.
    if (!claims || command.id === undefined) {
      if (command.send === undefined) this.#connection.close(closes.badRequest)
      return null
    }
    if (command.subscribe) return this.#subscribe(command.subscribe, claims)
    if (command.unsubscribe) return this.#unsubscribe(command.unsubscribe.channel)
    if (command.refresh) return this.#refresh(command.refresh.token ?? '', claims)
    if (command.sub_refresh) return this.#subRefresh(command.sub_refresh, claims)
    if (command.history) return this.#history(command.history)
    if (command.publish !== undefined) return refuse(errors.permissionDenied)
    const { presence, presence_stats, rpc } = command
    if ([presence, presence_stats, rpc].some((one) => one !== undefined)) return refuse(errors.notAvailable)
    return refuse(errors.methodNotFound)
  }

  async #connect(token: string): Promise<Reply | null> {
    if (this.#connection.claims) return this.#close(closes.badRequest)
    if (token === '') return refuse(errors.unauthorized)
    const claims = await this.#hub.read(token)
    // The token of a channel also opens a connection, for that channel only: published clients of `broadcast/longpoll`
    // have no other.
    if (!claims) return this.#close(closes.invalidToken)
    if (claims.exp <= this.#hub.now()) return refuse(errors.tokenExpired)
    const verdict = await this.#hub.mayEnter(claims)
    if (verdict !== true) return this.#close(verdict === false ? closes.forced : verdict)
    this.#connection.claims = claims
    this.#hub.authenticated(this.#connection)
    return {
      connect: {
        client: randomUUID(),
        version: 'relaydeck',
        ping: this.#hub.pingSeconds,
        pong: true,
        ...this.#expiry(claims.expireAt),
      },
    }
  }

  async #subscribe(
    { channel: name, token, recover, offset = 0, epoch = '' }: Input<'subscribe'>,
    own: RealtimeClaims,
  ): Promise<Reply> {
    const { channels } = this.#connection
    if (channels.has(name)) return refuse(errors.alreadySubscribed)
    if (channels.size >= channelsMax) return refuse(errors.limitExceeded)
    const known = readChannel(name)
    if (!known) return refuse(errors.unknownChannel)
    let ends = 0
    if (name.startsWith('$')) {
      const claims = await this.#hub.read(token ?? '')
      if (!claims || claims.channel !== name || claims.sub !== own.sub) return refuse(errors.permissionDenied)
      if (claims.exp <= this.#hub.now()) return refuse(errors.tokenExpired)
      ends = claims.expireAt
    } else if (own.channel !== null || String(known.id) !== own.sub) return refuse(errors.permissionDenied)
    // The connection may have closed while the token was read.
    if (!this.#connection.isOpen()) return refuse(errors.internal)
    const channel = this.#hub.channel(name)
    channel.listeners.add(this.#connection)
    channels.set(name, ends)
    const missed = recover ? channel.since(offset, epoch) : null
    return {
      subscribe: {
        recoverable: true,
        positioned: true,
        epoch: channel.epoch,
        offset: missed && missed.publications.length > 0 ? offset : channel.offset,
        ...(missed ? { was_recovering: true, recovered: missed.recovered, publications: missed.publications } : {}),
        ...this.#expiry(ends),
      },
    }
  }

  #unsubscribe(name: string): Reply {
    if (this.#connection.channels.delete(name)) this.#hub.channel(name).listeners.delete(this.#connection)
    return { unsubscribe: {} }
  }

  async #refresh(token: string, { sub }: RealtimeClaims): Promise<Reply | null> {
    const claims = await this.#hub.read(token)
    if (!claims || claims.channel !== null || claims.sub !== sub) return this.#close(closes.invalidToken)
    // The client reconnects with another token.
    if (claims.exp <= this.#hub.now()) return this.#close(closes.expired)
    this.#connection.claims = claims
    return { refresh: { version: 'relaydeck', ...this.#expiry(claims.expireAt) } }
  }

  async #subRefresh(
    { channel: name, token = '' }: Input<'sub_refresh'>,
    { sub }: RealtimeClaims,
  ): Promise<Reply | null> {
    const { channels } = this.#connection
    if (!channels.has(name)) return refuse(errors.badRequest)
    const claims = await this.#hub.read(token)
    if (!claims || claims.channel !== name || claims.sub !== sub) return refuse(errors.permissionDenied)
    if (claims.exp <= this.#hub.now()) {
      this.#connection.end(name, unsubscribes.expired)
      return null
    }
    if (channels.has(name)) channels.set(name, claims.expireAt)
    return { sub_refresh: this.#expiry(claims.expireAt) }
  }

  #history({ channel: name, limit = 0, reverse = false, since }: Input<'history'>): Reply {
    if (!this.#connection.channels.has(name)) return refuse(errors.permissionDenied)
    const channel = this.#hub.channel(name)
    const all = since ? channel.since(since.offset ?? 0, since.epoch ?? '').publications : channel.history()
    const ordered = reverse ? all.toReversed() : all
    const publications = limit < 0 ? ordered : ordered.slice(0, Math.min(limit, historyMax))
    return { history: { publications, epoch: channel.epoch, offset: channel.offset } }
  }

  /** Remaining time, as fields of a response; none for what never expires. */
  #expiry(expireAt: number): Reply {
    return expireAt === 0 ? {} : { expires: true, ttl: Math.max(expireAt - this.#hub.now(), 1) }
  }

  #close(closing: Closing): null {
    this.#connection.close(closing)
    return null
  }
}

const refuse = (error: Refusal): Reply => ({ error })
