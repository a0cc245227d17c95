// A connection to PostgreSQL that listens for notifications, and reconnects automatically.
import pg from 'pg'
import { backoffMs } from '#contract/core/backoff.ts'
import type { Signals } from './signals.ts'
import { defaultAnswerMs, defaultConnectMs, type PostgresSource } from './types.ts'

/** Time without traffic after which a silent connection is checked, milliseconds. Without it the system waits for two hours. */
const keepAliveMs = 10_000
const reconnects = { firstMs: 250, mostMs: 5_000 }

/** A connection that also sends. */
export interface Line extends Signals {
  /**
   * Notifies all services of the schema, this one included, in the order of the calls.
   * @param payload less than 8,000 bytes
   * @throws while the connection is down
   */
  notify(channel: string, payload: string): Promise<void>
}

/** Creates a line of a schema; `open` connects it. */
export function createLine({
  url,
  schema,
  connectMs = defaultConnectMs,
  answerMs = defaultAnswerMs,
}: PostgresSource): Line {
  const listeners = new Map<string, ((payload: string) => void)[]>()
  const connectionListeners: ((isConnected: boolean) => void)[] = []
  let client: pg.Client | null = null
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let onFault: (error: unknown) => void = () => undefined

  async function connect(failures: number): Promise<void> {
    const options = schema === undefined ? {} : { options: `-c search_path="${schema}"` }
    const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs }
    const timeouts = { connectionTimeoutMillis: connectMs, query_timeout: answerMs }
    const fresh = new pg.Client({ connectionString: url, ...keepAlive, ...timeouts, ...options })
    const lost = () => {
      fresh.removeAllListeners()
      fresh.on('error', () => undefined)
      void fresh.end().catch(() => undefined)
      const wasConnected = client === fresh
      client = null
      if (wasConnected) for (const listener of connectionListeners) listener(false)
      const wait = backoffMs(reconnects, wasConnected ? 1 : failures + 1)
      if (!isClosed) timer = setTimeout(() => void connect(wasConnected ? 1 : failures + 1), wait).unref()
    }
    fresh.once('error', (error) => {
      onFault(error)
      lost()
    })
    fresh.once('end', lost)
    fresh.on('notification', ({ channel, payload = '' }) => {
      const [, name = ''] = channel.split('_', 2)
      for (const listener of listeners.get(name) ?? []) listener(payload)
    })
    try {
      await fresh.connect()
      await fresh.query(listening([...listeners.keys()]))
    } catch (error) {
      onFault(error)
      return lost()
    }
    if (isClosed) return void fresh.end().catch(() => undefined)
    client = fresh
    for (const listener of connectionListeners) listener(true)
  }

  return {
    subscribe: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    onConnection: (listener) => void connectionListeners.push(listener),
    open(fault) {
      onFault = fault
      for (const listener of connectionListeners) listener(false)
      void connect(0)
    },
    async notify(channel, payload) {
      if (!client) throw new Error('The connection of notifications is down')
      await client.query("select pg_notify('relaydeck_' || $1::text || '_' || current_schema(), $2)", [
        channel,
        payload,
      ])
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const open = client
      client = null
      open?.removeAllListeners()
      open?.on('error', () => undefined)
      await open?.end().catch(() => undefined)
    },
  }
}

/** One statement that listens to channels of the current schema. */
const listening = (channels: readonly string[]): string => {
  const each = channels.map((name) => `execute format('listen %I', 'relaydeck_${name}_' || current_schema());`)
  return `do $$ begin ${each.join(' ')} end $$`
}
