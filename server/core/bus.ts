// Message bus of the replicas of an installation: in process with SQLite, else over NOTIFY or NATS.
import { randomUUID } from 'node:crypto'
import type { Line } from '#server/db/postgres-line.ts'

/** Messages to all replicas. Signals that have to leave with a commit are no messages: see `server/db/signals.ts`. */
export interface Bus {
  /**
   * Publishes a message to all replicas, this one included: at most once, in the order of one publisher. Returns immediately and
   * never throws. While the connection is down only this replica receives it.
   */
  publish(topic: string, message: unknown): void
  /** Adds a listener of a topic, before `open`. */
  subscribe<T>(topic: string, listener: (message: T) => void): void
  /**
   * Adds a listener of the connection. After `false` messages may have been lost: at the next `true` everything that
   * follows from messages has to be read or declared anew. Never called in process.
   */
  onConnection(listener: (isUp: boolean) => void): void
  state(): BusState
  /** Connects, after all subscriptions. */
  open(): void
  /** Waits for the messages that are being sent. */
  close(): Promise<void>
}

/** State of the bus, for Health. */
export interface BusState {
  readonly kind: 'memory' | 'notify' | 'nats'
  readonly isUp: boolean
  /** Messages that replicas could not send since this one started, because too many waited. */
  readonly lost: number
  /** Time of the last loss, Unix milliseconds. */
  readonly lostAt: number | null
}

/** Carries texts between the replicas. A replica receives its own texts, in the same order as the others. */
export interface Transport {
  readonly kind: BusState['kind']
  /** Longest text, bytes of ASCII. Longer messages are split. */
  textMax(): number
  /** Sends a text. @throws while the connection is down */
  send(text: string): Promise<void>
  /** Registers the listeners, before `open`. */
  listen(onText: (text: string) => void, onConnection: (isUp: boolean) => void): void
  open(onFault: (error: unknown) => void): void
  close(): Promise<void>
}

/** NOTIFY takes less than 8,000 bytes. */
const notifyMax = 7_900

/** Transport over the connection that listens for signals, which its owner opens and closes. */
export const createNotifyTransport = (line: Line): Transport => ({
  kind: 'notify',
  textMax: () => notifyMax,
  send: (text) => line.notify('bus', text),
  listen(onText, onConnection) {
    line.subscribe('bus', onText)
    line.onConnection(onConnection)
  },
  open: () => undefined,
  close: async () => undefined,
})

/** Limit of texts that wait to be sent; further messages are lost. */
const waitingMax = 5_000
/** Topic of the number of messages that a replica has lost: the others read everything anew. */
const lossTopic = ''

/** More messages waited than the bus can carry. */
export class BusOverloadError extends Error {
  override readonly name = 'BusOverloadError'
  constructor(lost: number) {
    super(
      `${lost} messages to the other replicas were lost, because more than ${waitingMax} waited. The replicas read their state anew. Set NATS_URL if this happens again.`,
    )
  }
}

/**
 * Creates the bus of this process.
 * @param transport null: there is one process only
 * @param onFault receives errors of listeners and of the connection, and `BusOverloadError`
 */
export function createBus(transport: Transport | null, onFault: (error: unknown) => void): Bus {
  const listeners = new Map<string, ((message: never) => void)[]>()
  const connectionListeners: ((isUp: boolean) => void)[] = []
  const self = randomUUID().slice(0, 8)
  let isUp = transport === null
  let lost = 0
  let lostAt: number | null = null
  /** Messages lost since the last announcement of a loss. */
  let unannounced = 0
  let waiting: string[] = []
  let sending: Promise<void> | null = null
  let messages = 0
  let pieces = new Map<string, string[]>()

  function deliver(topic: string, message: unknown): void {
    for (const listener of listeners.get(topic) ?? [])
      try {
        listener(message as never)
      } catch (error) {
        onFault(error)
      }
  }
  function connected(now: boolean): void {
    isUp = now
    if (!now) {
      pieces = new Map()
      waiting = []
      unannounced = 0
    }
    for (const listener of connectionListeners) listener(now)
  }
  function noteLoss(count: number): void {
    lost += count
    lostAt = Date.now()
    onFault(new BusOverloadError(count))
    for (const listener of connectionListeners) for (const now of [false, true]) listener(now)
  }

  /** Sends the waiting texts one after the other, to keep their order, then announces the losses of this replica. */
  async function drain(by: Transport): Promise<void> {
    try {
      for (;;) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await by.send(next)
        if (unannounced === 0) break
        waiting.push(...split(by, lossTopic, unannounced))
        unannounced = 0
      }
    } catch (error) {
      if (isUp) onFault(error)
    }
    sending = null
  }

  /** Texts of a message: `<id> <index> <count> <part of the JSON>`. */
  function split(by: Transport, topic: string, message: unknown): string[] {
    const json = JSON.stringify([topic, message])
    const ascii = json.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const id = `${self}.${(messages += 1)}`
    const partMax = by.textMax() - 64
    const count = Math.ceil(ascii.length / partMax)
    return Array.from(
      { length: count },
      (_, index) => `${id} ${index} ${count} ${ascii.slice(index * partMax, (index + 1) * partMax)}`,
    )
  }

  function take(text: string): void {
    const [id = '', index = '', count = ''] = text.split(' ', 3)
    const part = text.slice(id.length + index.length + count.length + 3)
    const known = pieces.get(id) ?? []
    known[Number(index)] = part
    if (known.filter((piece) => piece !== undefined).length < Number(count)) return void pieces.set(id, known)
    pieces.delete(id)
    const [topic, message] = JSON.parse(known.join('')) as [string, unknown]
    if (topic === lossTopic) noteLoss(message as number)
    else deliver(topic, message)
  }

  transport?.listen(take, connected)
  return {
    publish(topic, message) {
      if (!transport || !isUp) return deliver(topic, message)
      if (waiting.length >= waitingMax) {
        unannounced += 1
        return deliver(topic, message)
      }
      waiting.push(...split(transport, topic, message))
      sending ??= drain(transport)
    },
    subscribe: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onConnection: (listener) => void connectionListeners.push(listener),
    state: () => ({ kind: transport?.kind ?? 'memory', isUp, lost, lostAt }),
    open: () => transport?.open(onFault),
    async close() {
      await sending
      await transport?.close()
    },
  }
}
