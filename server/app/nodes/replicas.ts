// What services on the same database say to each other: through PostgreSQL, in one order for all of them.
import type { Database } from '#server/db/open.ts'
import type { Bus } from '#server/db/postgres-bus.ts'

/** What is said about one thing. Every service hears it, the one that says it included. */
export interface Topic<T> {
  /** Never waits and never throws. Without a line to the database only this service hears it. */
  say(word: T): void
  hear(listener: (word: T) => void): void
}

export interface Replicas {
  /** @param name one for each thing that is talked about */
  topic<T>(name: string): Topic<T>
  /** Whether the line to the database stands; what was said while it did not is lost. Never called where there is none. */
  onStanding(listener: (stands: boolean) => void): void
  open(): void
  close(): Promise<void>
}

/** @param openBus how services on this database hear each other; none where there can be only one */
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
