// Samples on their way to the service. They wait while other messages go first, and are sent again after a reconnect.
import type { Sample } from '#contract/relay/events.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import type { MessageOf } from '#contract/relay/protocol.ts'

type Samples = MessageOf<FromNode, 'samples'>

/** Destinations of one part of a sample. A message ends after as many: with the longest messages of servers it has 1.2 MB. */
const destinationsMax = 400
/** Messages without an acknowledgement that are on their way. The service acknowledges every three seconds. */
const windowMax = 64
/** Samples and destinations that are kept, some 50 MB: minutes of hundreds of projects. Above, the oldest messages are dropped. */
const keptMax = 50_000

interface Link {
  /** Returns true when the connection is open and has no backlog. */
  readonly hasRoom: () => boolean
  readonly send: (message: Samples) => void
}

interface Queued {
  readonly message: Samples
  /** Samples and destinations. */
  readonly count: number
  isSent: boolean
}

/** Numbers samples and keeps them until the service acknowledges them. Numbers grow over restarts of the node. */
export class SampleQueue {
  readonly #link: Link
  #seq = Date.now() * 1000
  #fresh: Sample[] = []
  #queue: Queued[] = []

  constructor(link: Link) {
    this.#link = link
  }

  /** Adds a sample. The samples of one turn of the event loop are sent together. */
  add(sample: Sample): void {
    if (this.#fresh.length === 0) setImmediate(() => this.#close())
    this.#fresh.push(...partsOf(sample))
  }

  /** The service has stored the messages up to this number. */
  acknowledge(seq: number): void {
    this.#queue = this.#queue.filter(({ message }) => message.seq > seq)
    this.#flush()
  }

  /** The connection is new: every message is sent again. */
  resend(): void {
    for (const queued of this.#queue) queued.isSent = false
    this.#flush()
  }

  #close(): void {
    let [samples, count]: [Sample[], number] = [[], 0]
    for (const [index, sample] of this.#fresh.entries()) {
      samples.push(sample)
      count += 1 + sample.destinations.length
      if (count < destinationsMax && index < this.#fresh.length - 1) continue
      this.#queue.push({ message: { type: 'samples', seq: ++this.#seq, samples }, count, isSent: false })
      ;[samples, count] = [[], 0]
    }
    this.#fresh = []
    let kept = this.#queue.reduce((sum, one) => sum + one.count, 0)
    while (kept > keptMax) kept -= this.#queue.shift()?.count ?? kept
    this.#flush()
  }

  #flush(): void {
    for (const queued of this.#queue.slice(0, windowMax)) {
      if (queued.isSent) continue
      if (!this.#link.hasRoom()) return
      this.#link.send(queued.message)
      queued.isSent = true
    }
  }
}

/** Splits a sample by its destinations; all parts but the last one have `isPart`. */
function partsOf(sample: Sample): Sample[] {
  const { destinations } = sample
  const parts: Sample[] = []
  for (let at = 0; at < destinations.length - destinationsMax; at += destinationsMax)
    parts.push({
      ...sample,
      pulls: [],
      transcoders: [],
      isPart: true,
      destinations: destinations.slice(at, at + destinationsMax),
    })
  const rest = destinations.slice(parts.length * destinationsMax)
  return [...parts, { ...sample, destinations: rest }]
}
