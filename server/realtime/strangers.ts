// Connections that have not authenticated, limited per client network and in all.
import { type Closing, closes } from './protocol.ts'

/** How many, and how long each has to authenticate before it makes room for a newer one. */
const usual = { perNetwork: 100, inAll: 1_000, patienceMs: 1_000 }

/** A connection before its `connect` command was accepted. */
export interface Stranger {
  /** Client address or IPv6 network, see `networkOf`. */
  readonly network: string
  /** Milliseconds since 1970. */
  readonly openedAt: number
  close(closing: Closing): void
}

export class Strangers {
  /** In the order in which they came. */
  readonly #all = new Set<Stranger>()
  readonly #byNetwork = new Map<string, Set<Stranger>>()
  readonly #limits: typeof usual

  constructor(limits = usual) {
    this.#limits = limits
  }

  /**
   * Makes room for one more connection. A full network, and then the full hub, loses its oldest connection.
   * @returns false when even that one is too young to go: the client has to come again
   */
  admit(network: string, now: number): boolean {
    const { perNetwork, inAll } = this.#limits
    const neighbours = this.#byNetwork.get(network)
    return (!neighbours || this.#shrink(neighbours, perNetwork, now)) && this.#shrink(this.#all, inAll, now)
  }

  add(stranger: Stranger): void {
    const { network } = stranger
    this.#all.add(stranger)
    this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? new Set()).add(stranger))
  }

  /** Forgets a connection that has authenticated or closed. */
  delete(stranger: Stranger): void {
    const neighbours = this.#byNetwork.get(stranger.network)
    this.#all.delete(stranger)
    neighbours?.delete(stranger)
    if (neighbours?.size === 0) this.#byNetwork.delete(stranger.network)
  }

  /** @returns whether there is room */
  #shrink(strangers: Set<Stranger>, max: number, now: number): boolean {
    if (strangers.size < max) return true
    const [oldest] = strangers
    if (!oldest || now - oldest.openedAt < this.#limits.patienceMs) return false
    this.delete(oldest)
    oldest.close(closes.reconnect)
    return true
  }
}
