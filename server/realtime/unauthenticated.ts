// Connections that have not authenticated, limited per client network and in all.
import { type Closing, closes } from './protocol.ts'

/** Limits, and the time that a connection has before a newer one may replace it. */
const defaults = { perNetwork: 100, inTotal: 1_000, minAgeMs: 1_000 }

/** A connection before its `connect` command was accepted. */
export interface Unauthenticated {
  /** Client address or IPv6 network, see `networkOf`. */
  readonly network: string
  /** Milliseconds since 1970. */
  readonly openedAt: number
  close(closing: Closing): void
}

export class UnauthenticatedConnections {
  /** Oldest first. */
  readonly #all = new Set<Unauthenticated>()
  readonly #byNetwork = new Map<string, Set<Unauthenticated>>()
  readonly #limits: typeof defaults

  constructor(limits = defaults) {
    this.#limits = limits
  }

  /**
   * Makes room for another connection: closes the oldest one of a full network, and then of a full hub.
   * @returns false when that one is younger than `minAgeMs`: the client has to retry
   */
  admit(network: string, now: number): boolean {
    const { perNetwork, inTotal } = this.#limits
    const neighbours = this.#byNetwork.get(network)
    return (!neighbours || this.#shrink(neighbours, perNetwork, now)) && this.#shrink(this.#all, inTotal, now)
  }

  add(connection: Unauthenticated): void {
    const { network } = connection
    this.#all.add(connection)
    this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? new Set()).add(connection))
  }

  /** Removes a connection that authenticated or closed. */
  delete(connection: Unauthenticated): void {
    const neighbours = this.#byNetwork.get(connection.network)
    this.#all.delete(connection)
    neighbours?.delete(connection)
    if (neighbours?.size === 0) this.#byNetwork.delete(connection.network)
  }

  /** @returns whether there is room */
  #shrink(unauthenticated: Set<Unauthenticated>, max: number, now: number): boolean {
    if (unauthenticated.size < max) return true
    const [oldest] = unauthenticated
    if (!oldest || now - oldest.openedAt < this.#limits.minAgeMs) return false
    this.delete(oldest)
    oldest.close(closes.reconnect)
    return true
  }
}
