// Runs a reader of a platform in a test, and keeps its events.
import { vi } from 'vitest'
import type { ChatEvent, ChatPlace, PlatformMessage } from '#server/core/chat.ts'
import type { ChatContext, ChatServices, ChatSource } from '#server/chat/port.ts'

/** A running reader. */
export interface TestReading {
  readonly events: ChatEvent[]
  /** Number of frames that could not be read. */
  readonly malformed: () => number
  /** Texts of the messages so far. */
  readonly texts: () => string[]
  readonly messages: () => PlatformMessage[]
  /** Resolves when that many messages were read. */
  readonly count: (messages: number) => Promise<void>
  /** Resolves with the failure of the reader, or null when it ended without one. */
  readonly done: Promise<unknown>
  stop(): Promise<unknown>
}

const until = (isReached: () => boolean) => vi.waitUntil(isReached, { timeout: 60_000, interval: 10 })

/** Starts a reader, and waits until it reads, ends or fails. */
export async function startReading(
  source: ChatSource,
  services: ChatServices,
  place: ChatPlace,
  cursor: string | null = null,
): Promise<TestReading> {
  const stopping = new AbortController()
  const events: ChatEvent[] = []
  let [malformed, isDone] = [0, false]
  const ctx = { services, place, signal: stopping.signal, malformed: () => void malformed++ }
  const run = async () => {
    for await (const event of source.open(ctx, cursor)) events.push(event)
    return null
  }
  const done = run()
    .catch((error: unknown) => error)
    .finally(() => (isDone = true))
  const messages = () => events.flatMap((event) => (event.is === 'message' ? [event.message] : []))
  await until(() => events.length > 0 || isDone)
  return {
    events,
    messages,
    malformed: () => malformed,
    texts: () => messages().map(({ text }) => text),
    count: async (wanted) => void (await until(() => messages().length >= wanted || isDone)),
    done,
    stop: () => {
      stopping.abort()
      return done
    },
  }
}

/** Context of a command in a test. */
export const commandContext = (services: ChatServices, place: ChatPlace): ChatContext => ({
  services,
  place,
  signal: new AbortController().signal,
})
