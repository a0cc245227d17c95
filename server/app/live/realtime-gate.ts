// Realtime endpoint: connections and publications of the hub in this process, or publications to a Centrifugo.
import type { IncomingMessage } from 'node:http'
import { Gauge, type Registry } from 'prom-client'
import { WebSocketServer } from 'ws'
import type { Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import type { Bus } from '#server/core/bus.ts'
import type { RealtimeControl, Services } from '#server/core/context.ts'
import { networkOf } from '#server/core/limits.ts'
import { realtimeRights } from '#server/domain/realtime/rights.ts'
import { readRealtimeToken } from '#server/domain/realtime/tokens.ts'
import { createCentrifugo } from '#server/realtime/centrifugo.ts'
import { createInterest } from './interest.ts'
import { createHub } from '#server/realtime/hub.ts'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'

/** Path that clients connect to (published). A query string is ignored. */
const target = /^\/connection\/websocket(?:\?.*)?$/
const messageBytesMax = 64 * 1024

export interface RealtimeGate extends RealtimeControl {
  /** Paths that clients connect to. */
  readonly routes: readonly UpgradeRoute[]
  /** Calls a listener on every replica when sessions or permissions may have ended. */
  onRecheck(listener: () => void): void
  /** Registers the number of connections as a metric. */
  observe(registry: Registry): void
  /** Moves the open pages to other replicas, spread over up to 5 s (`Hub.leave`). */
  leave(): Promise<void>
  close(): Promise<void>
}

/** Messages between replicas: a publication, or a request to check rights again. */
type ReplicaMessage = { readonly channel: Channel; readonly data: Publication } | 'recheck'

/**
 * Creates the gate.
 * @param bus carries publications to every replica including this one, so that all see the same order
 * @param addressOf reads the client's address
 */
export function createRealtimeGate(
  services: Pick<Services, 'config' | 'clock' | 'db' | 'log'>,
  bus: Bus,
  addressOf: (request: IncomingMessage) => string,
): RealtimeGate {
  const { config, clock, log } = services
  const onFault = (error: unknown) => log.error({ err: error }, 'The realtime hub failed')
  const toReplicas = (message: ReplicaMessage) => bus.publish('realtime', message)
  const listeners: (() => void)[] = []
  const rights = {
    recheck: () => toReplicas('recheck'),
    onRecheck: (listener: () => void) => void listeners.push(listener),
  }
  const recheckAll = () => listeners.forEach((listener) => listener())
  const { url, apiKey } = config.centrifugo
  if (url !== null) {
    bus.subscribe<ReplicaMessage>('realtime', (message) => message === 'recheck' && recheckAll())
    const centrifugo = createCentrifugo({ url, apiKey, onFault })
    // Its connections end with their tokens, and its subscribers are not known here.
    const unknown = { isWatched: () => true, watch: () => undefined, leave: async () => {} }
    return { ...centrifugo, ...unknown, ...rights, routes: [], observe: () => undefined }
  }

  const hub = createHub({
    now: () => Math.floor(clock.now().getTime() / 1000),
    read: async (token) => readRealtimeToken(config, token),
    rights: (who) => realtimeRights(services, who),
    onFault,
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false })
  const take: UpgradeRoute['take'] = (request) => {
    const network = networkOf(addressOf(request))
    return hub.admit(network) ? (socket) => hub.accept(socket, network) : 503
  }
  rights.onRecheck(hub.recheck)
  bus.subscribe<ReplicaMessage>('realtime', (message) =>
    message === 'recheck' ? recheckAll() : hub.publish(message.channel, message.data),
  )
  bus.onConnection(hub.stand)
  const interest = createInterest(bus, hub.watched)

  return {
    publish: (channel, data) => toReplicas({ channel, data }),
    isWatched: interest.isWatched,
    watch: (projectId) => interest.watch([projectId]),
    ...rights,
    observe(registry) {
      const gauge: Gauge = new Gauge({
        name: 'relaydeck_realtime_connections',
        help: 'Open realtime connections',
        registers: [registry],
        collect: () => gauge.set(hub.count().connections),
      })
    },
    routes: [{ target, sockets, take }],
    leave: hub.leave,
    async close() {
      interest.close()
      hub.close()
      sockets.close()
      // Clients that do not answer the closing frame are cut off.
      setTimeout(() => sockets.clients.forEach((client) => client.terminate()), 200).unref()
    },
  }
}
