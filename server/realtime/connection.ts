// A client connection: framing, command queue, pings and expiry. Commands are answered one after another, in their order.
import type { WebSocket } from 'ws'
import type { RealtimeClaims } from '#server/domain/realtime/tokens.ts'
import { type CommandConnection, Commands, type HubAccess } from './commands.ts'
import { type Closing, closes, type Command, errors, readLines, unsubscribes } from './protocol.ts'
import type { Unauthenticated } from './unauthenticated.ts'

/** Commands that may wait for their turn. */
const waitingMax = 64
/** Bytes that may wait for a slow client. */
const queuedMax = 1_048_576
/** Timeout of the client's closing frame. */
const closeTimeoutMs = 2_000
/** Time for `connect`. */
const connectTimeoutMs = 10_000
/** Time after the expiry of a token in which clients refresh it, seconds. */
const graceSeconds = 25
const commandsPerSecond = 100
/** Bytes of an answer that count as a further command: a whole history counts as about 12. */
const commandBytes = 65_536

export class Connection implements CommandConnection, Unauthenticated {
  readonly openedAt = Date.now()
  readonly network: string
  claims: RealtimeClaims | null = null
  readonly channels = new Map<string, number>()
  readonly #socket: WebSocket
  readonly #hub: HubAccess<Connection>
  readonly #commands: Commands<Connection>
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  #second = 0
  #count = 0
  #pingedAt = Date.now()
  /** Time of the first ping without a response; 0: none. */
  #unansweredAt = 0

  constructor(socket: WebSocket, network: string, hub: HubAccess<Connection>) {
    // First: an error without a listener ends the process.
    socket.on('error', () => socket.terminate())
    this.#socket = socket
    this.network = network
    this.#hub = hub
    this.#commands = new Commands<Connection>(this, hub)
    socket.on('message', (data: Buffer, isBinary) =>
      isBinary ? this.close(closes.badRequest) : this.#receive(data.toString('utf8')),
    )
  }

  isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  push(frame: string | Buffer): void {
    if (!this.isOpen()) return
    if (this.#socket.bufferedAmount > queuedMax) return this.close(closes.slow)
    this.#socket.send(frame, { binary: false })
  }

  close([code, reason]: Closing): void {
    this.leave()
    this.#socket.close(code, reason)
    // A client that does not read will not send a closing frame either.
    const isUnresponsive = code === closes.slow[0] || code === closes.noPong[0]
    setTimeout(() => this.#socket.terminate(), isUnresponsive ? 0 : closeTimeoutMs).unref()
  }

  /** Ends all subscriptions. */
  leave(): void {
    for (const name of this.channels.keys()) this.#hub.channel(name).listeners.delete(this)
    this.channels.clear()
  }

  end(name: string, { code, reason }: { readonly code: number; readonly reason: string }): void {
    if (!this.channels.delete(name)) return
    this.#hub.channel(name).listeners.delete(this)
    this.push(JSON.stringify({ push: { channel: name, unsubscribe: { code, reason } } }))
  }

  /** Pings, and ends what has expired. Called about once a second. */
  tend(nowMs: number): void {
    const { pingSeconds, pongSeconds } = this.#hub
    if (!this.claims) return nowMs - this.openedAt > connectTimeoutMs ? this.close(closes.stale) : undefined
    const now = this.#hub.now()
    if (this.claims.expireAt !== 0 && this.claims.expireAt + graceSeconds < now) return this.close(closes.expired)
    for (const [name, ends] of this.channels)
      if (ends !== 0 && ends + graceSeconds < now) this.end(name, unsubscribes.expired)
    if (this.#unansweredAt !== 0 && nowMs - this.#unansweredAt > pongSeconds * 1000) return this.close(closes.noPong)
    if (nowMs - this.#pingedAt < pingSeconds * 1000) return
    this.#pingedAt = nowMs
    this.#unansweredAt ||= nowMs
    this.push('{}')
  }

  #receive(frame: string): void {
    // A client that ignores the closing frame may still send.
    if (!this.isOpen()) return
    if (frame === '{}') return void (this.#unansweredAt = 0)
    const lines = frame.split('\n')
    // Before they are parsed: empty commands cost as much as others.
    if (!this.#isWithinRate(lines.length)) return this.close(closes.tooMany)
    const commands = readLines(lines)
    if (!commands) return this.close(closes.badRequest)
    for (const command of commands) {
      if (Object.keys(command).length === 0) this.#unansweredAt = 0
      else if (!this.#enqueue(command)) return
    }
  }

  #isWithinRate(commands: number): boolean {
    const second = Math.floor(Date.now() / 1000)
    this.#count = (second === this.#second ? this.#count : 0) + commands
    this.#second = second
    return this.#count <= commandsPerSecond
  }

  #enqueue(command: Command): boolean {
    if (this.#waiting >= waitingMax) {
      this.close(closes.tooMany)
      return false
    }
    this.#waiting++
    this.#last = this.#last.then(() => this.#answer(command)).finally(() => this.#waiting--)
    return true
  }

  async #answer(command: Command): Promise<void> {
    if (!this.isOpen()) return
    try {
      const reply = await this.#commands.execute(command)
      if (reply === null || command.id === undefined) return
      const frame = JSON.stringify({ id: command.id, ...reply })
      if (!this.#isWithinRate(Math.floor(frame.length / commandBytes))) return this.close(closes.tooMany)
      this.push(frame)
    } catch (error) {
      this.#hub.onFault(error)
      this.push(JSON.stringify({ id: command.id, error: errors.internal }))
    }
  }
}
