// WebSocket of a node to the service: opens it, checks it, and reconnects.
import { WebSocket } from 'ws'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import { FromService } from '#contract/relay/from-service.ts'
import { readMessage } from '#contract/relay/protocol.ts'

export interface ServiceConnectionOptions {
  /** URL of the service, `ws://…/relay`. */
  readonly service: string
  readonly token: string
  /** Ping interval and handshake timeout, milliseconds. Without a pong the connection is reopened. Default: 10 s. */
  readonly pingMs?: number | undefined
}

interface Handlers {
  readonly onOpen: () => void
  readonly onMessage: (message: FromService) => void
  /** Decides whether to reconnect. @param silentMs time since the last message of the service, milliseconds */
  readonly onClose: (silentMs: number) => boolean
}

export interface ServiceConnection {
  open(handlers: Handlers): void
  isOpen(): boolean
  /** Returns true when the connection is open and has no backlog. */
  hasRoom(): boolean
  /** Sends a message; drops it if the connection is not open. */
  send(message: FromNode): void
  /** Does not reconnect any more; an open connection stays open. */
  stop(): void
  close(): void
}

/** Waits before connections to the service. They do not grow: encoders wait for the service. */
export const reconnects: Backoff = { ladderMs: [1_500], jitter: 2 / 3 }
const defaultPingMs = 10_000
/** Unsent bytes above which samples and posters wait. */
const backlogBytes = 256 * 1024

export function createServiceConnection({
  service,
  token,
  pingMs = defaultPingMs,
}: ServiceConnectionOptions): ServiceConnection {
  let socket: WebSocket | null = null
  let isClosing = false
  let lastMessageAt = Date.now()

  function connect(handlers: Handlers) {
    if (isClosing) return
    const headers = { authorization: `Bearer ${token}` }
    const opened = new WebSocket(service, { headers, handshakeTimeout: pingMs })
    socket = opened
    const pings = startPings(opened, pingMs)
    opened.on('open', handlers.onOpen)
    opened.on('message', (data: Buffer) => {
      lastMessageAt = Date.now()
      const message = readMessage(FromService, data.toString('utf8'))
      if (message) handlers.onMessage(message)
    })
    opened.on('error', () => undefined)
    opened.on('close', () => {
      clearInterval(pings)
      if (isClosing || !handlers.onClose(Date.now() - lastMessageAt)) return
      setTimeout(() => connect(handlers), backoffMs(reconnects, 1))
    })
  }

  const isOpen = () => socket?.readyState === WebSocket.OPEN
  return {
    open: connect,
    isOpen,
    hasRoom: () => isOpen() && (socket?.bufferedAmount ?? 0) < backlogBytes,
    send(message) {
      if (isOpen()) socket?.send(JSON.stringify(message))
    },
    stop() {
      isClosing = true
    },
    close() {
      isClosing = true
      socket?.close()
    },
  }
}

/** Pings the service, and closes a connection that does not respond: the other machine may be gone without a reset. */
function startPings(socket: WebSocket, pingMs: number): NodeJS.Timeout {
  let hasPong = true
  socket.on('pong', () => (hasPong = true))
  return setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!hasPong) return socket.terminate()
    hasPong = false
    socket.ping()
  }, pingMs)
}
