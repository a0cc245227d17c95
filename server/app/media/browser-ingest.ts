// Streams of browsers: forwards the messages of a page to a relay node, and its answers back.
import type { IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  type BrowserEnd,
  browserMessageBytes,
  browserProtocol,
  type BrowserText,
} from '#contract/entities/browser-ingest.ts'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'
import type { Services } from '#server/core/context.ts'
import { mayPublish } from '#server/domain/projects/access.ts'
import { type BrowserStream, isBrowserTicket, redeemBrowserTicket } from '#server/domain/broadcasts/browser-tickets.ts'

/** Streams that a replica forwards. */
const streamsMax = 20
/** The library itself closes connections with larger messages. */
const receivedBytesMax = 4 * browserMessageBytes
/** Queue to a node above which the page is read no further, bytes. */
const queueBytesMax = 2 * browserMessageBytes
/** Interval of pings, and of checks of rights. A page without an answer to a ping is gone, milliseconds. */
const checkMs = 10_000
/** Close codes (RFC 6455, 7.4.1): the page left; the node is gone; a message breaks the rules; the page should come again later. */
const code = { left: 1000, restart: 1012, policy: 1008, later: 1013 } as const
/** To the node: the connection of the page broke. */
const brokenCode = 4000

interface BrowserIngestOptions {
  /** Opens the connection to a node. @throws when no node takes the stream */
  readonly open: (projectId: number, address: string) => Promise<WebSocket>
  readonly addressOf: (request: IncomingMessage) => string
}

export interface BrowserIngest {
  readonly route: UpgradeRoute
  /** Ends streams that lost their right. */
  recheck(): void
  close(): void
}

/** Creates the endpoint `/browser-ingest`. */
export function createBrowserIngest(services: Services, { open, addressOf }: BrowserIngestOptions): BrowserIngest {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: receivedBytesMax,
    perMessageDeflate: false,
    handleProtocols: () => browserProtocol,
  })
  const streams = new Map<WebSocket, BrowserStream>()
  const alive = new WeakSet<WebSocket>()

  async function accept(page: WebSocket, ticket: string, address: string) {
    page.on('pong', () => alive.add(page))
    alive.add(page)
    page.pause()
    if (sockets.clients.size > streamsMax) return end(page, 'full', code.later)
    const stream = await redeemBrowserTicket(services, ticket)
    if (typeof stream === 'string') return end(page, stream, code.policy)
    const node = await open(stream.projectId, address).catch(() => null)
    if (!node) return end(page, 'no_node', code.later)
    if (page.readyState !== page.OPEN) return node.close(brokenCode)
    streams.set(page, stream)
    page.on('close', () => streams.delete(page))
    join(page, node)
  }

  const recheck = () => {
    for (const [page, stream] of streams)
      void mayPublish(services, stream)
        .then((may) => may || end(page, 'right', code.policy))
        .catch(() => undefined)
  }
  const timer = setInterval(() => {
    for (const page of sockets.clients) {
      if (!alive.delete(page)) page.terminate()
      else page.ping()
    }
    recheck()
  }, checkMs).unref()

  return {
    recheck,
    route: {
      target: /^\/browser-ingest$/,
      sockets,
      take(request) {
        const [protocol, ticket = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(/ *, */)
        if (protocol !== browserProtocol || !isBrowserTicket(services, ticket)) return 401
        const address = addressOf(request)
        return (page) =>
          void accept(page, ticket, address).catch((error: unknown) => {
            services.log.error({ err: error }, 'The stream of a browser failed')
            page.terminate()
          })
      },
    },
    close() {
      clearInterval(timer)
      for (const page of sockets.clients) page.close(code.restart)
      sockets.close()
      setTimeout(() => sockets.clients.forEach((page) => page.terminate()), 200).unref()
    },
  }
}

const wordsOf: Partial<Record<BrowserEnd, string>> = {
  full: 'The service carries as many browsers as it may. Try again later, or use an encoder',
  ticket: 'The ticket is used or has expired',
  right: 'Your right to stream has ended',
  no_node: 'No server takes streams of browsers now',
}

/** Sends the reason and closes. */
function end(page: WebSocket, reason: BrowserEnd, status: number, words = wordsOf[reason] ?? ''): void {
  const text: BrowserText = { type: 'end', reason, words }
  // A paused socket would not read the closing frame.
  page.resume()
  page.send(JSON.stringify(text))
  page.close(status, words)
}

/** Forwards until either side closes. */
function join(page: WebSocket, node: WebSocket): void {
  let hasEnd = false
  page.on('message', (bytes: Buffer, isBinary) => {
    if (hasEnd) return
    const wrong = isBinary
      ? bytes.length > browserMessageBytes
        ? 'A message is larger than 1 MB'
        : ''
      : 'The client sent text'
    if (wrong) {
      hasEnd = true
      return end(page, 'invalid', code.policy, wrong)
    }
    node.send(bytes, { binary: true }, () => node.bufferedAmount < queueBytesMax && page.resume())
    if (node.bufferedAmount > queueBytesMax) page.pause()
  })
  node.on('message', (text: Buffer) => page.send(text.toString('utf8')))
  page.on('close', (status) => node.close(status === code.left ? code.left : brokenCode))
  // Its reason went before as text.
  node.on('close', (status, reason) => page.close(status === code.policy ? status : code.restart, reason.toString()))
  node.resume()
  page.resume()
}
