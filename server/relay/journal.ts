// Journal of events that the service has not acknowledged.

/** Events that are kept: days of channels that reconnect. Above, the oldest are dropped. */
const entriesMax = 5_000

interface Entry<E> {
  readonly seq: number
  readonly event: E
}

/** Numbers and stores events. Numbers begin at the start time, so that they grow over restarts of the node. */
export class Journal<E> {
  #seq = Date.now() * 1000
  #entries: Entry<E>[] = []

  /** Stores an event. @returns its number */
  add(event: E): number {
    const seq = ++this.#seq
    this.#entries.push({ seq, event })
    if (this.#entries.length > entriesMax) this.#entries.shift()
    return seq
  }

  /** The service acknowledged all events up to this number. */
  acknowledge(seq: number): void {
    this.#entries = this.#entries.filter((entry) => entry.seq > seq)
  }

  /** Returns unacknowledged events in order. */
  pending(): readonly Entry<E>[] {
    return this.#entries
  }
}
