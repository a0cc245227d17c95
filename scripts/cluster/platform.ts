// Platform of a cluster: accepts every publisher, and records the connections and media times of each stream key.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { openConnection } from '#server/relay/rtmp/connection.ts'
import { readCommand } from '#server/relay/rtmp/messages.ts'
import { answer, isMedia } from '#server/relay/testing/faulty-platform.ts'
import { now } from './timeline.ts'

/** A connection that published a key. Times are milliseconds since the start of the run. */
export interface Publication {
  readonly from: string
  /** Time of the first media; Infinity before it. */
  first: number
  /** Times of the received media, to 100 ms. */
  readonly times: Set<number>
  /** Video timestamps that came twice or went back. */
  disorder: number
  isOpen: boolean
}

export interface RecordingPlatform {
  readonly port: number
  /** Publications of a key, in the order of their start. */
  of(key: string): readonly Publication[]
  close(): Promise<void>
}

/** Starts a platform. @param host address to listen on */
export async function recordingPlatform(host: string): Promise<RecordingPlatform> {
  const byKey = new Map<string, Publication[]>()
  const sockets = new Set<Socket>()

  function accept(socket: Socket): void {
    sockets.add(socket)
    let publication: Publication | null = null
    let last = -1
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (publication) publication.isOpen = false
    })
    const from = socket.remoteAddress ?? ''
    const connection = openConnection(
      socket,
      'server',
      {
        onReady: () => undefined,
        onClose: () => undefined,
        onMessage(message) {
          if (isMedia(message)) {
            if (!publication) return
            publication.first = Math.min(publication.first, now())
            publication.times.add(Math.floor(now() / 100))
            if (message.type !== 9 || message.payload[1] === 0) return
            if (message.timestamp < last) publication.disorder += 1
            last = message.timestamp
            return
          }
          const call = readCommand(message)
          if (call?.name === 'publish') {
            publication = { from, first: Infinity, times: new Set(), disorder: 0, isOpen: true }
            const [name] = call.values
            const key = typeof name === 'string' ? name : ''
            byKey.set(key, [...(byKey.get(key) ?? []), publication])
          }
          if (publication && (call?.name === 'FCUnpublish' || call?.name === 'deleteStream')) publication.isOpen = false
          answer(connection, message, { fault: 'none', redirectTo: '' })
        },
      },
      { readyMs: 20_000 },
    )
    connection.trust()
  }

  const server = createServer(accept)
  await once(server.listen(0, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    of: (key) => byKey.get(key) ?? [],
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
