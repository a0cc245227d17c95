// RTMP and RTMPS ports: accepts connections, and limits those per address that have not been admitted.
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { networkOf } from '#server/core/limits.ts'
import type { Certificate } from '#server/core/certificate.ts'
import type { Playback, PlayRequest } from './ingest/playback.ts'
import type { IngestSession, Publication, PublishRequest } from './ingest/publication.ts'
import type { Refused } from './ingest/refusal.ts'
import { serveIngest } from './ingest/rtmp-session.ts'

export interface RtmpListenerOptions {
  /** @param onAdmitted called when the key is correct */
  readonly admit: (
    request: PublishRequest,
    session: IngestSession,
    onAdmitted: () => void,
  ) => Promise<Publication | Refused>
  readonly admitPlayer: (request: PlayRequest, onAdmitted: () => void) => Promise<Playback | Refused>
  /** Timeout from the socket to `publish` or `play`, milliseconds. */
  readonly readyMs: number
  /** Connections of one address that have not been admitted. */
  readonly pendingMax: number
}

/** An open port. */
export interface Listening {
  readonly port: number
  /** Accepts no new connections. Those that are open stay. */
  stop(): void
}

export interface PortUse {
  /** Accepts RTMPS. */
  readonly certificate?: Certificate | undefined
  /** Other processes of the machine listen on the same port: the system gives each connection to one of them. */
  readonly isShared?: boolean
}

export interface RtmpListener {
  /** May be called for several ports. */
  listen(port: number, host: string, use?: PortUse): Promise<Listening>
  close(): Promise<void>
}

export function createRtmpListener({ admit, admitPlayer, readyMs, pendingMax }: RtmpListenerOptions): RtmpListener {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  const pending = new Map<string, number>()

  /** Counts a pending connection. @returns a function that uncounts it; null: too many */
  function countPending(address: string): (() => void) | null {
    const count = (pending.get(address) ?? 0) + 1
    if (count > pendingMax) return null
    pending.set(address, count)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      const left = (pending.get(address) ?? 1) - 1
      if (left > 0) pending.set(address, left)
      else pending.delete(address)
    }
  }

  function accept(raw: Socket, certificate?: Certificate) {
    raw.on('error', () => undefined)
    const secureContext = certificate?.context()
    if (secureContext === null) return void raw.destroy()
    const socket = secureContext ? new TLSSocket(raw, { isServer: true, secureContext }) : raw
    const uncount = countPending(networkOf(raw.remoteAddress ?? ''))
    if (!uncount) return void raw.destroy()
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      uncount()
    })
    serveIngest(socket, {
      readyMs,
      admit: (request, session) => admit(request, session, uncount),
      admitPlayer: (request) => admitPlayer(request, uncount),
    })
  }

  return {
    async listen(port, host, { certificate, isShared = false } = {}) {
      const server = createServer({ noDelay: true }, (socket) => accept(socket, certificate))
      servers.add(server)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, reusePort: isShared }, resolve)
      })
      server.removeAllListeners('error').on('error', () => undefined)
      server.once('close', () => servers.delete(server))
      const address = server.address()
      return { port: typeof address === 'object' && address ? address.port : port, stop: () => void server.close() }
    },
    async close() {
      const closed = [...servers].map((server) => new Promise((resolve) => server.close(resolve)))
      for (const socket of sockets) socket.destroySoon()
      await Promise.all(closed)
    },
  }
}
