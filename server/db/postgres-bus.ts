// Message bus of all services on one PostgreSQL, in the same order for each of them (LISTEN and NOTIFY).
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { PostgresSource } from './types.ts'

/** NOTIFY takes less than 8,000 bytes: longer messages are split. */
const pieceMax = 7_800
/** Limit of messages that wait for the database; further ones are refused. */
const waitingMax = 5_000
/** Time without traffic after which a silent connection is checked, milliseconds. Without it the system waits for two hours. */
const keepAliveMs = 10_000
const retryMs = { first: 250, longest: 5_000 }

export interface Bus {
  /** Publishes a message to all services, this one included. @returns false when it cannot be delivered */
  publish(text: string): boolean
  close(): Promise<void>
}

export interface BusListener {
  onMessage(text: string): void
  /** Called when the connection to the database opens or breaks. Messages in between are lost. */
  onConnection(isConnected: boolean): void
  fault(error: unknown): void
}

/** Opens the bus. It reconnects automatically. */
export function openBus({ url, schema = 'public' }: PostgresSource, listener: BusListener): Bus {
  const name = `relaydeck_${schema}`
  let client: pg.Client | null = null
  let isClosed = false
  let waiting: string[] = []
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let pieces = new Map<string, string[]>()

  async function connect(wait: number): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs })
    const lost = () => {
      fresh.removeAllListeners()
      fresh.on('error', () => undefined)
      void fresh.end().catch(() => undefined)
      if (client === fresh) listener.onConnection(false)
      client = null
      pieces = new Map()
      waiting = []
      if (!isClosed) timer = setTimeout(() => void connect(Math.min(wait * 2, retryMs.longest)), wait).unref()
    }
    fresh.once('error', (error) => {
      listener.fault(error)
      lost()
    })
    fresh.once('end', lost)
    fresh.on('notification', ({ payload = '' }) => take(payload))
    try {
      await fresh.connect()
      await fresh.query(`listen ${fresh.escapeIdentifier(name)}`)
    } catch (error) {
      listener.fault(error)
      return lost()
    }
    if (isClosed) return void fresh.end().catch(() => undefined)
    client = fresh
    listener.onConnection(true)
  }

  /** Sends the waiting messages one after the other, to keep their order. */
  async function drain(line: pg.Client): Promise<void> {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await line.query('select pg_notify($1, $2)', [name, next])
    } catch (error) {
      if (!isClosed) listener.fault(error)
    }
    sending = null
  }

  function take(payload: string): void {
    const [id = '', index, count, text = ''] = split(payload)
    const known = pieces.get(id) ?? []
    known[Number(index)] = text
    if (known.filter((piece) => piece !== undefined).length < Number(count)) return void pieces.set(id, known)
    pieces.delete(id)
    listener.onMessage(known.join(''))
  }

  void connect(retryMs.first)
  return {
    publish(text) {
      if (!client || waiting.length > waitingMax) return false
      const ascii = text.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
      const count = Math.ceil(ascii.length / pieceMax)
      const id = randomUUID()
      for (let index = 0; index < count; index++)
        waiting.push(`${id} ${index} ${count} ${ascii.slice(index * pieceMax, (index + 1) * pieceMax)}`)
      sending ??= drain(client)
      return true
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const line = client
      client = null
      await sending
      line?.removeAllListeners()
      line?.on('error', () => undefined)
      await line?.end().catch(() => undefined)
    },
  }
}

/** Splits a payload into id, index, count and text. */
function split(payload: string): string[] {
  const [id = '', index = '', count = ''] = payload.split(' ', 3)
  return [id, index, count, payload.slice(id.length + index.length + count.length + 3)]
}
