// What a node has to tell, until the service has seen it.

/** About an hour of one project on air; then the oldest samples go, events stay. */
const entriesMax = 5_000

interface Entry<E> {
  readonly seq: number
  readonly event: E
}

/** Numbers, keeps and repeats. Numbers begin at the time of start, so that they grow over restarts of the node. */
export class Journal<E extends { readonly type: string }> {
  #seq = Date.now() * 1000
  #entries: Entry<E>[] = []

  /** Keeps something to tell. @returns its number */
  add(event: E): number {
    const seq = ++this.#seq
    this.#entries.push({ seq, event })
    if (this.#entries.length > entriesMax) this.#thin()
    return seq
  }

  /** The service has this one and all before it. */
  seen(seq: number): void {
    this.#entries = this.#entries.filter((entry) => entry.seq > seq)
  }

  /** What it has not seen, in order. */
  unseen(): readonly Entry<E>[] {
    return this.#entries
  }

  #thin(): void {
    const oldest = this.#entries.findIndex(({ event }) => event.type === 'sample')
    this.#entries.splice(Math.max(0, oldest), 1)
  }
}
