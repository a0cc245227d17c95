// The chat overlay: follows the broadcasts of a key, and shows messages after the hold-back. It shows nothing on errors.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { isCleared } from '#contract/events/chat-cleared.ts'
import { type OverlaySettings, readOverlay } from '#src/lib/overlay-settings.ts'
import { followKey } from '#src/realtime/key-feed.ts'
import { createRows, type Rows } from './rows.ts'
import { createStar } from './star.ts'

/** Messages at the start, and after a gap. */
const atStart = 20

/** Abilities of the chat that concern the overlay. */
interface Known {
  readonly hold_back?: number
  readonly starred?: string | null
}

export interface Service {
  readonly baseUrl: string
  readonly realtimeUrl: string
}

/**
 * Starts the overlay in a list element.
 * @param hash fragment of the address
 * @returns a function that ends it
 */
export function startOverlay(list: HTMLElement, hash: string, service: Service): () => void {
  const settings = readOverlay(hash)
  document.body.dataset['size'] = settings.size
  if (settings.key === '') return () => {}
  const rows = createRows(list, settings)
  const queue = createQueue(rows)
  let holdS = settings.hold ?? 0
  let broadcastId = 0

  const star = createStar(list, {
    marks: settings.marks,
    load: (event_id) =>
      ask<ChatMessage>(service, settings, 'messages/message', { broadcast_id: broadcastId, event_id }),
  })

  async function load(id: number): Promise<void> {
    const starred = star.id()
    const known = await ask<Known>(service, settings, 'capabilities', { broadcast_id: id })
    if (settings.hold === null) holdS = Number(known?.hold_back) || 0
    if (id !== broadcastId) return
    // A publication during the request is newer than its answer.
    if (known && star.id() === starred) star.set(known.starred ?? null)
    // With fading rows, old messages would only flash.
    if (settings.fade > 0) return
    const which = { broadcast_id: id, limit: atStart }
    const page = await ask<{ items?: ChatMessage[] }>(service, settings, 'messages', which)
    if (id === broadcastId) for (const message of page?.items ?? []) queue.add(message, holdS)
  }

  const stop = followKey({
    ...service,
    key: settings.key,
    listener: {
      broadcast: (id) => {
        broadcastId = id ?? 0
        queue.clear()
        star.set(null)
      },
      connected: (isGap) => void (isGap && load(broadcastId)),
      data: (data) => {
        const changes = changesOf(data)
        for (const change of changes) apply(change, queue, holdS)
        star.apply(changes)
      },
    },
  })
  return () => {
    stop()
    queue.clear()
    star.set(null)
  }
}

/** Messages wait for the hold-back: one that is deleted meanwhile never appears. */
function createQueue(rows: Rows) {
  const waiting = new Map<ReturnType<typeof setTimeout>, ChatMessage>()
  const drop = (fits: (message: ChatMessage) => boolean) => {
    for (const [timer, message] of waiting)
      if (fits(message)) {
        clearTimeout(timer)
        waiting.delete(timer)
      }
  }
  return {
    add: (message: ChatMessage, holdS: number) => {
      if (message.deleted || message.hidden) return
      if (holdS === 0) return rows.add(message)
      const timer = setTimeout(() => {
        waiting.delete(timer)
        rows.add(message)
      }, holdS * 1_000)
      waiting.set(timer, message)
    },
    remove: (fits: (message: ChatMessage) => boolean) => {
      drop(fits)
      rows.remove(fits)
    },
    clear: () => {
      drop(() => true)
      rows.clear()
    },
  }
}

function apply(change: ChatChange, queue: ReturnType<typeof createQueue>, holdS: number): void {
  if (change.action === 'got' || change.action === 'create') queue.add(change, holdS)
  else if (change.action === 'deleted') queue.remove(({ event_id }) => event_id === change.event_id)
  else if (change.action === 'cleared') queue.remove((message) => isCleared(message, change))
}

/** Changes of a publication; none of another kind, or of one that is not readable. */
function changesOf(data: unknown): readonly ChatChange[] {
  const batch = data as Partial<ChatBatch> | null
  return batch?.event === 'messages' && Array.isArray(batch.payload) ? batch.payload : []
}

/** Reads from the chat with the key; null on any error. */
async function ask<T>(
  { baseUrl }: Service,
  { key }: OverlaySettings,
  name: 'capabilities' | 'messages' | 'messages/message',
  which: Readonly<Record<string, string | number>>,
): Promise<T | null> {
  const query = new URLSearchParams({ v: '1', language: 'en', key })
  for (const [field, value] of Object.entries(which)) query.set(field, String(value))
  try {
    const answer = await fetch(`${baseUrl}/method/chat/${name}?${query.toString()}`, { credentials: 'omit' })
    return answer.ok ? ((await answer.json()) as T) : null
  } catch {
    return null
  }
}
