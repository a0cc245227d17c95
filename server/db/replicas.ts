// Messages between services on the same database: through PostgreSQL, in one order for all of them.
import type { Database } from './open.ts'
import type { Bus } from './postgres-bus.ts'

/** Channel of messages. Every service receives them, including the sender. */
export interface Topic<T> {
  /** Publishes a message; returns immediately and never throws. Without a database connection only this service receives it. */
  publish(message: T): void
  onMessage(listener: (message: T) => void): void
}

export interface Replicas {
  /** @param name name of the channel */
  topic<T>(name: string): Topic<T>
  /** Subscribes to the state of the database connection; messages sent while it is down are lost. Never called without one. */
  onConnection(listener: (isConnected: boolean) => void): void
  open(): void
  close(): Promise<void>
}

/** @param openBus opens the bus between services; omitted where there can be only one service */
export function createReplicas(openBus: Database['bus'], onFault: (error: unknown) => void): Replicas {
  const listeners = new Map<string, (message: unknown) => void>()
  const connectionListeners: ((isConnected: boolean) => void)[] = []
  let bus: Promise<Bus> | null = null
  let line: Bus | null = null

  const deliver = (topic: string, message: unknown) => listeners.get(topic)?.(message)
  const notifyConnection = (isConnected: boolean) => {
    for (const listener of connectionListeners) listener(isConnected)
  }
  return {
    topic: (name) => ({
      publish(message) {
        if (!line?.publish(JSON.stringify([name, message]))) deliver(name, message)
      },
      onMessage: (listener) =>
        void listeners.set(name, (message) => listener(message as Parameters<typeof listener>[0])),
    }),
    onConnection: (listener) => void connectionListeners.push(listener),
    open() {
      if (!openBus) return
      notifyConnection(false)
      const onMessage = (text: string) => deliver(...(JSON.parse(text) as [string, unknown]))
      bus = openBus({ onMessage, onConnection: notifyConnection, fault: onFault })
      bus.then((opened) => (line = opened), onFault)
    },
    async close() {
      await (await bus)?.close()
    },
  }
}
