// Message bus of all services on one PostgreSQL, in the same order for each of them (LISTEN and NOTIFY).
import { randomUUID } from 'node:crypto'
import type { Line } from './postgres-line.ts'

/** NOTIFY takes less than 8,000 bytes: longer messages are split. */
const pieceMax = 7_800
/** Limit of messages that wait for the database; further ones are refused. */
const waitingMax = 5_000
const channel = 'bus'

export interface Bus {
  /** Publishes a message to all services, this one included. @returns false when it cannot be delivered */
  publish(text: string): boolean
  /** Waits for the messages that are being sent. */
  close(): Promise<void>
}

export interface BusListener {
  onMessage(text: string): void
  fault(error: unknown): void
}

/** Attaches the bus to a line, before the line opens. */
export function createBus(line: Line, { onMessage, fault }: BusListener): Bus {
  let isConnected = false
  let waiting: string[] = []
  let sending: Promise<void> | null = null
  let pieces = new Map<string, string[]>()

  line.onConnection((now) => {
    isConnected = now
    if (now) return
    pieces = new Map()
    waiting = []
  })
  line.subscribe(channel, take)

  /** Sends the waiting messages one after the other, to keep their order. */
  async function drain(): Promise<void> {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await line.notify(channel, next)
    } catch (error) {
      if (isConnected) fault(error)
    }
    sending = null
  }

  function take(payload: string): void {
    const [id = '', index, count, text = ''] = split(payload)
    const known = pieces.get(id) ?? []
    known[Number(index)] = text
    if (known.filter((piece) => piece !== undefined).length < Number(count)) return void pieces.set(id, known)
    pieces.delete(id)
    onMessage(known.join(''))
  }

  return {
    publish(text) {
      if (!isConnected || waiting.length > waitingMax) return false
      const ascii = text.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
      const count = Math.ceil(ascii.length / pieceMax)
      const id = randomUUID()
      for (let index = 0; index < count; index++)
        waiting.push(`${id} ${index} ${count} ${ascii.slice(index * pieceMax, (index + 1) * pieceMax)}`)
      sending ??= drain()
      return true
    },
    async close() {
      await sending
    },
  }
}

/** Splits a payload into id, index, count and text. */
function split(payload: string): string[] {
  const [id = '', index = '', count = ''] = payload.split(' ', 3)
  return [id, index, count, payload.slice(id.length + index.length + count.length + 3)]
}
