// Where realtime connections come in, and where publications go: to the hub in this process, or to a Centrifugo.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { RealtimeControl, Services } from '#server/core/context.ts'
import { realtimeRights } from '#server/domain/realtime-rights.ts'
import { readRealtimeToken } from '#server/domain/realtime-tokens.ts'
import { createCentrifugo } from '#server/realtime/centrifugo.ts'
import { createHub } from '#server/realtime/hub.ts'

/** Path that clients connect to (published). */
export const realtimePath = '/connection/websocket'
const messageBytesMax = 64 * 1024

export interface RealtimeGate extends RealtimeControl {
  /** Takes connections in, on a server that is about to listen. */
  open(server: Server): void
  close(): Promise<void>
}

/** Makes the gate. */
export function createRealtimeGate(services: Pick<Services, 'config' | 'clock' | 'db' | 'log'>): RealtimeGate {
  const { config, clock, log } = services
  const onFault = (error: unknown) => log.error({ err: error }, 'Realtime')
  const { url, apiKey } = config.centrifugo
  if (url !== null) {
    const centrifugo = createCentrifugo({ url, apiKey, onFault })
    // Its connections end with their tokens: there is nothing to look after.
    return { ...centrifugo, recheck: () => undefined, open: () => undefined }
  }

  const hub = createHub({
    now: () => Math.floor(clock.now().getTime() / 1000),
    read: (token) => readRealtimeToken(config, token),
    rights: (who) => realtimeRights(services, who),
    onFault,
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false })
  let shut = () => {}
  return {
    publish: hub.publish,
    recheck: hub.recheck,
    open(server) {
      const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        if (request.url?.split('?')[0] === realtimePath) sockets.handleUpgrade(request, socket, head, hub.accept)
      }
      server.on('upgrade', upgrade)
      shut = () => server.off('upgrade', upgrade)
    },
    async close() {
      shut()
      hub.close()
      sockets.close()
      // Whoever does not say goodbye is not waited for.
      setTimeout(() => sockets.clients.forEach((client) => client.terminate()), 200).unref()
    },
  }
}
