// Transport of the bus over a NATS server (core NATS: at most once, no storage).
import type { NatsConnection } from '@nats-io/transport-node'
import type { Transport } from './bus.ts'

/** Before the server has named its own limit. */
const defaultTextMax = 1_000_000
/** Interval and number of missed answers after which a silent connection is lost, milliseconds. */
const [pingMs, pingsMissed] = [5_000, 2]
const reconnectMs = 500

/** Returns the options of a client for a server. @param url as of `createNatsTransport` */
function serverOf(url: string) {
  const { protocol, host, username, password } = new URL(url)
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: host,
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  }
}

/** Connects once, and waits for an answer of the server. @param timeout milliseconds @throws without one */
export async function pingNats(url: string, timeout: number): Promise<void> {
  const nats = await import('@nats-io/transport-node')
  const connection = await nats.connect({ ...serverOf(url), timeout, reconnect: false })
  await connection.flush()
  await connection.close()
}

/**
 * @param url `nats://…` or `tls://…`, with user and password or a token if the server asks for one
 * @param subject separates installations on one server
 */
export function createNatsTransport(url: string, subject: string): Transport {
  let onText: (text: string) => void = () => undefined
  let onConnection: (isUp: boolean) => void = () => undefined
  let connection: NatsConnection | null = null
  let isClosed = false

  async function connect(onFault: (error: unknown) => void): Promise<void> {
    // Loaded only where it is used.
    const nats = await import('@nats-io/transport-node')
    const opened = await nats.connect({
      ...serverOf(url),
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
      pingInterval: pingMs,
      maxPingOut: pingsMissed,
    })
    if (isClosed) return opened.close()
    opened.subscribe(subject, { callback: (error, message) => (error ? onFault(error) : onText(message.string())) })
    // The server has the subscription before the first message.
    await opened.flush()
    connection = opened
    onConnection(true)
    for await (const { type, ...about } of opened.status()) {
      if (type === 'disconnect') onConnection(false)
      if (type === 'reconnect') onConnection(true)
      if (type === 'error' && 'error' in about) onFault(about.error)
    }
  }

  return {
    kind: 'nats',
    textMax: () => connection?.info?.max_payload ?? defaultTextMax,
    async send(text) {
      if (!connection) throw new Error('The connection of NATS is down')
      connection.publish(subject, text)
    },
    listen: (text, isUp) => void ([onText, onConnection] = [text, isUp]),
    open(onFault) {
      onConnection(false)
      connect(onFault).catch(onFault)
    },
    async close() {
      isClosed = true
      const open = connection
      connection = null
      await open?.flush().catch(() => undefined)
      await open?.close()
    },
  }
}
