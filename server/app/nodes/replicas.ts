// Messages between services on the same database: through PostgreSQL, in one order for all of them.
import type { Database } from '#server/db/open.ts'
import type { Bus } from '#server/db/postgres-bus.ts'

/** Channel of messages. Every service receives them, including the sender. */
export interface Topic<T> {
  /** Publishes a message; returns immediately and never throws. Without a database connection only this service receives it. */
  say(word: T): void
  hear(listener: (word: T) => void): void
}

export interface Replicas {
  /** @param name name of the channel */
  topic<T>(name: string): Topic<T>
  /** Subscribes to the state of the database connection; messages sent while it is down are lost. Never called without one. */
  onStanding(listener: (stands: boolean) => void): void
  open(): void
  close(): Promise<void>
}

/** @param openBus opens the bus between services; omitted where there can be only one service */
export function createReplicas(openBus: Database['bus'], onFault: (error: unknown) => void): Replicas {
  const listeners = new Map<string, (word: unknown) => void>()
  const standing: ((stands: boolean) => void)[] = []
  let bus: Promise<Bus> | null = null
  let line: Bus | null = null

  const hear = (topic: string, word: unknown) => listeners.get(topic)?.(word)
  const stand = (stands: boolean) => {
    for (const listener of standing) listener(stands)
  }
  return {
    topic: (name) => ({
      say(word) {
        if (!line?.say(JSON.stringify([name, word]))) hear(name, word)
      },
      hear: (listener) => void listeners.set(name, (word) => listener(word as Parameters<typeof listener>[0])),
    }),
    onStanding: (listener) => void standing.push(listener),
    open() {
      if (!openBus) return
      stand(false)
      const heard = (text: string) => hear(...(JSON.parse(text) as [string, unknown]))
      bus = openBus({ heard, standing: stand, fault: onFault })
      bus.then((opened) => (line = opened), onFault)
    },
    async close() {
      await (await bus)?.close()
    },
  }
}
