// One connection of a client: what it asks is answered one after another, in the order in which it was asked.
import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { readChannel } from '#contract/events/channels.ts'
import type { RealtimeClaims } from '#server/domain/realtime/tokens.ts'
import type { Channel, Listener } from './channel.ts'
import type { Stranger } from './strangers.ts'
import { type Closing, closes, type Command, errors, readFrame, type Refusal, unsubscribes } from './protocol.ts'

/** Commands that may wait, and subscriptions of one connection. */
const waitingMax = 64
const channelsMax = 32
/** Bytes that may wait for a client that reads too slowly. */
const queuedMax = 1_048_576
/** How long a client may take to answer the end of its connection. */
const goodbyeMs = 2_000
/** How long a token's end is waited over: clients refresh when it comes. Seconds. */
const graceSeconds = 25
/** Commands in a row before a pause of a second. */
const commandsPerSecond = 100

/** What connections need of the hub. */
export interface Around {
  readonly pingSeconds: number
  /** How long the answer to a ping may take. */
  readonly pongSeconds: number
  /** Seconds since 1970, by the service's clock. */
  now(): number
  read(token: string): Promise<RealtimeClaims | null>
  /** Whether one more connection of the same person is fine, and whether its session still lives. */
  mayEnter(claims: RealtimeClaims): Promise<boolean | Closing>
  channel(name: string): Channel
  /** The connection has claims. */
  authenticated(connection: Connection): void
  onFault(error: unknown): void
}

type Reply = Readonly<Record<string, unknown>>

export class Connection implements Listener, Stranger {
  readonly openedAt = Date.now()
  readonly network: string
  /** Null until it has said who it is. */
  claims: RealtimeClaims | null = null
  /** Channels and when their subscriptions end; 0: never. */
  readonly channels = new Map<string, number>()
  #socket: WebSocket
  #around: Around
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  #second = 0
  #count = 0
  #pingedAt = Date.now()
  /** When a ping was sent that is not answered; 0: none. */
  #unansweredAt = 0

  constructor(socket: WebSocket, network: string, around: Around) {
    // First: an error without a listener ends the process.
    socket.on('error', () => socket.terminate())
    this.#socket = socket
    this.network = network
    this.#around = around
    socket.on('message', (data: Buffer, isBinary) =>
      isBinary ? this.close(closes.badRequest) : this.#hear(data.toString('utf8')),
    )
  }

  push(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > queuedMax) return this.close(closes.slow)
    this.#socket.send(frame)
  }

  close([code, reason]: Closing): void {
    this.leave()
    this.#socket.close(code, reason)
    // A client that does not read does not answer the end either.
    const isDeaf = code === closes.slow[0] || code === closes.noPong[0]
    setTimeout(() => this.#socket.terminate(), isDeaf ? 0 : goodbyeMs).unref()
  }

  /** Ends all subscriptions. */
  leave(): void {
    for (const name of this.channels.keys()) this.#around.channel(name).listeners.delete(this)
    this.channels.clear()
  }

  /** Ends one subscription, and says so. */
  end(name: string, { code, reason }: { readonly code: number; readonly reason: string }): void {
    if (!this.channels.delete(name)) return
    this.#around.channel(name).listeners.delete(this)
    this.push(JSON.stringify({ push: { channel: name, unsubscribe: { code, reason } } }))
  }

  /** Looks after it: pings, and ends what has come to its end. Called about once a second. */
  tend(nowMs: number): void {
    const { pingSeconds, pongSeconds } = this.#around
    if (!this.claims) return nowMs - this.openedAt > 10_000 ? this.close(closes.stale) : undefined
    const now = this.#around.now()
    if (this.claims.expireAt !== 0 && this.claims.expireAt + graceSeconds < now) return this.close(closes.expired)
    for (const [name, ends] of this.channels)
      if (ends !== 0 && ends + graceSeconds < now) this.end(name, unsubscribes.expired)
    if (this.#unansweredAt !== 0 && nowMs - this.#unansweredAt > pongSeconds * 1000) return this.close(closes.noPong)
    if (nowMs - this.#pingedAt < pingSeconds * 1000) return
    this.#pingedAt = nowMs
    this.#unansweredAt ||= nowMs
    this.push('{}')
  }

  #hear(frame: string): void {
    if (frame === '{}') return void (this.#unansweredAt = 0)
    const commands = readFrame(frame)
    if (!commands) return this.close(closes.badRequest)
    for (const command of commands) {
      if (Object.keys(command).length === 0) this.#unansweredAt = 0
      else if (!this.#enqueue(command)) return
    }
  }

  #enqueue(command: Command): boolean {
    const second = Math.floor(Date.now() / 1000)
    this.#count = second === this.#second ? this.#count + 1 : 1
    this.#second = second
    if (this.#count > commandsPerSecond || this.#waiting >= waitingMax) {
      this.close(closes.tooMany)
      return false
    }
    this.#waiting++
    this.#last = this.#last.then(() => this.#answer(command)).finally(() => this.#waiting--)
    return true
  }

  async #answer(command: Command): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    try {
      const reply = await this.#reply(command)
      if (reply !== null && command.id !== undefined) this.push(JSON.stringify({ id: command.id, ...reply }))
    } catch (error) {
      this.#around.onFault(error)
      this.push(JSON.stringify({ id: command.id, error: errors.internal }))
    }
  }

  async #reply(command: Command): Promise<Reply | null> {
    if (command.connect) return this.#connect(command.connect.token ?? '')
    // Before it has said who it is, nothing else is answered.
    if (!this.claims || command.id === undefined) {
      if (command.send === undefined) this.close(closes.badRequest)
      return null
    }
    if (command.subscribe) return this.#subscribe(command.subscribe, this.claims)
    if (command.unsubscribe) return this.#unsubscribe(command.unsubscribe.channel)
    if (command.refresh) return this.#refresh(command.refresh.token ?? '', this.claims)
    if (command.sub_refresh) return this.#subRefresh(command.sub_refresh, this.claims)
    if (command.history) return this.#history(command.history)
    if (command.publish !== undefined) return refuse(errors.permissionDenied)
    const { presence, presence_stats, rpc } = command
    if ([presence, presence_stats, rpc].some((one) => one !== undefined)) return refuse(errors.notAvailable)
    return refuse(errors.methodNotFound)
  }

  async #connect(token: string): Promise<Reply | null> {
    if (this.claims) return this.#end(closes.badRequest)
    if (token === '') return refuse(errors.unauthorized)
    const claims = await this.#around.read(token)
    // The token of a channel opens a connection as well, for that channel alone: published clients of `broadcast/longpoll` have no other.
    if (!claims) return this.#end(closes.invalidToken)
    if (claims.exp <= this.#around.now()) return refuse(errors.tokenExpired)
    const verdict = await this.#around.mayEnter(claims)
    if (verdict !== true) return this.#end(verdict === false ? closes.forced : verdict)
    this.claims = claims
    this.#around.authenticated(this)
    return {
      connect: {
        client: randomUUID(),
        version: 'relaydeck',
        ping: this.#around.pingSeconds,
        pong: true,
        ...this.#life(claims.expireAt),
      },
    }
  }

  async #subscribe(
    { channel: name, token, recover, offset = 0, epoch = '' }: Command['subscribe'] & object,
    mine: RealtimeClaims,
  ): Promise<Reply> {
    if (this.channels.has(name)) return refuse(errors.alreadySubscribed)
    if (this.channels.size >= channelsMax) return refuse(errors.limitExceeded)
    const known = readChannel(name)
    if (!known) return refuse(errors.unknownChannel)
    let ends = 0
    if (name.startsWith('$')) {
      const claims = await this.#around.read(token ?? '')
      if (!claims || claims.channel !== name || claims.sub !== mine.sub) return refuse(errors.permissionDenied)
      if (claims.exp <= this.#around.now()) return refuse(errors.tokenExpired)
      ends = claims.expireAt
    } else if (mine.channel !== null || String(known.id) !== mine.sub) return refuse(errors.permissionDenied)
    // It may have closed while the token was read.
    if (this.#socket.readyState !== this.#socket.OPEN) return refuse(errors.internal)
    const channel = this.#around.channel(name)
    channel.listeners.add(this)
    this.channels.set(name, ends)
    const missed = recover ? channel.since(offset, epoch) : null
    return {
      subscribe: {
        recoverable: true,
        positioned: true,
        epoch: channel.epoch,
        offset: missed && missed.publications.length > 0 ? offset : channel.offset,
        ...(missed ? { was_recovering: true, recovered: missed.recovered, publications: missed.publications } : {}),
        ...this.#life(ends),
      },
    }
  }

  #unsubscribe(name: string): Reply {
    if (this.channels.delete(name)) this.#around.channel(name).listeners.delete(this)
    return { unsubscribe: {} }
  }

  async #refresh(token: string, { sub }: RealtimeClaims): Promise<Reply | null> {
    const claims = await this.#around.read(token)
    if (!claims || claims.channel !== null || claims.sub !== sub) return this.#end(closes.invalidToken)
    // It comes back and asks for another one.
    if (claims.exp <= this.#around.now()) return this.#end(closes.expired)
    this.claims = claims
    return { refresh: { version: 'relaydeck', ...this.#life(claims.expireAt) } }
  }

  async #subRefresh(
    { channel: name, token = '' }: Command['sub_refresh'] & object,
    { sub }: RealtimeClaims,
  ): Promise<Reply | null> {
    if (!this.channels.has(name)) return refuse(errors.badRequest)
    const claims = await this.#around.read(token)
    if (!claims || claims.channel !== name || claims.sub !== sub) return refuse(errors.permissionDenied)
    if (claims.exp <= this.#around.now()) {
      this.end(name, unsubscribes.expired)
      return null
    }
    if (this.channels.has(name)) this.channels.set(name, claims.expireAt)
    return { sub_refresh: this.#life(claims.expireAt) }
  }

  #history({ channel: name, limit = 0, reverse = false, since }: Command['history'] & object): Reply {
    if (!this.channels.has(name)) return refuse(errors.permissionDenied)
    const channel = this.#around.channel(name)
    const all = since ? channel.since(since.offset ?? 0, since.epoch ?? '').publications : channel.history()
    const ordered = reverse ? all.toReversed() : all
    const publications = limit < 0 ? ordered : ordered.slice(0, Math.min(limit, 100))
    return { history: { publications, epoch: channel.epoch, offset: channel.offset } }
  }

  /** How long something lasts, as the wire says it. */
  #life(expireAt: number): Reply {
    return expireAt === 0 ? {} : { expires: true, ttl: Math.max(expireAt - this.#around.now(), 1) }
  }

  #end(closing: Closing): null {
    this.close(closing)
    return null
  }
}

const refuse = (error: Refusal): Reply => ({ error })
