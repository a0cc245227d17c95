// Chat events and a platform for tests of the pipeline.
import type { ChatEvent, ChatPlace, PlatformMessage } from '#server/core/chat.ts'
import type { ChatServices, ChatSource, ReaderContext } from '#server/chat/port.ts'

/** A plain message. */
export const plainMessage = (id: string, more: Partial<PlatformMessage> = {}): PlatformMessage => ({
  id,
  kind: 'message',
  text: `text ${id}`,
  entities: [],
  sender: { id: 'u1', name: 'Ann', badges: [], roles: [] },
  createdAt: new Date('2026-11-22T12:00:00Z'),
  ...more,
})

/** The event of a plain message. */
export const messageEvent = (id: string, more: Partial<PlatformMessage> = {}): ChatEvent => ({
  is: 'message',
  message: plainMessage(id, more),
})

/** A chat at Twitch. */
export const placeOf = (name: string, more: Partial<ChatPlace> = {}): ChatPlace => ({
  source: `twitch:${name}`,
  platform: 'twitch',
  externalId: name,
  page: '',
  accountId: null,
  videoId: null,
  ...more,
})

/** Services of a pipeline without a service; `logged` collects warnings. */
export function pipelineServices(logged: unknown[] = []): ChatServices {
  const log = { warn: (...line: unknown[]) => logged.push(line), error: (...line: unknown[]) => logged.push(line) }
  return { clock: { now: () => new Date() }, log: { ...log, info: log.warn } } as unknown as ChatServices
}

/** A platform whose connections a test controls. */
export function scriptedPlatform() {
  const open: {
    ctx: ReaderContext
    cursor: string | null
    say: (event: ChatEvent) => void
    fail: (e: Error) => void
  }[] = []
  const source: ChatSource = {
    async *open(ctx, cursor) {
      const events: (ChatEvent | Error)[] = [{ is: 'state', state: 'reading' }]
      let wake: () => void = () => undefined
      const add = (item: ChatEvent | Error) => {
        events.push(item)
        wake()
      }
      ctx.signal.addEventListener('abort', () => wake())
      const connection = { ctx, cursor, say: add, fail: add }
      open.push(connection)
      try {
        while (!ctx.signal.aborted) {
          const item = events.shift()
          if (item instanceof Error) throw item
          if (item) yield item
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        open.splice(open.indexOf(connection), 1)
      }
    },
  }
  return { source, open, sources: { twitch: async () => source } }
}
