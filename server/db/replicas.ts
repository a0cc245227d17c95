// Messages between services on the same database: through PostgreSQL, in one order for all of them.
import type { Database } from './open.ts'

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
  /** Begins to listen for messages and signals of commits, after all subscriptions. */
  open(): void
  /** Waits for the messages that are being sent. */
  close(): Promise<void>
}

/** @param database its signals open after all topics are created */
export function createReplicas({ signals, bus: createBus }: Database, onFault: (error: unknown) => void): Replicas {
  const listeners = new Map<string, (message: unknown) => void>()
  const deliver = (topic: string, message: unknown) => listeners.get(topic)?.(message)
  const onMessage = (text: string) => deliver(...(JSON.parse(text) as [string, unknown]))
  const bus = createBus?.({ onMessage, fault: onFault })
  return {
    topic: (name) => ({
      publish(message) {
        if (!bus?.publish(JSON.stringify([name, message]))) deliver(name, message)
      },
      onMessage: (listener) =>
        void listeners.set(name, (message) => listener(message as Parameters<typeof listener>[0])),
    }),
    onConnection: signals.onConnection,
    open: () => signals.open(onFault),
    async close() {
      await bus?.close()
      await signals.close()
    },
  }
}
