// The chat overlay: follows the broadcasts of a key, and shows messages after the hold-back. It shows nothing on errors.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { isCleared } from '#contract/events/chat-cleared.ts'
import { Deletions } from '#contract/events/deletions.ts'
import { maxHoldS, type OverlaySettings, readOverlay } from '#src/lib/overlay-settings.ts'
import { followKey } from '#src/realtime/key-feed.ts'
import { createQueue, isVisible, type Queue } from './queue.ts'
import { createRows, maxRows } from './rows.ts'
import { createStar } from './star.ts'

/** Messages at the start, and after a gap. */
const atStart = 20
/** Most messages that the service returns. */
const mostAtOnce = 500
/** Time after which a failed request is repeated, milliseconds. */
const retryMs = 5_000

/** Abilities of the chat that concern the overlay. */
interface Known {
  readonly hold_back?: number
  readonly starred?: string | null
  readonly star_seq?: number
}

export interface Service {
  readonly baseUrl: string
  readonly realtimeUrl: string
}

/**
 * Starts the overlay in a list element.
 * @param hash fragment of the address
 * @param follow the client of the realtime connection
 * @returns a function that ends it
 */
export function startOverlay(list: HTMLElement, hash: string, service: Service, follow = followKey): () => void {
  const settings = readOverlay(hash)
  document.body.dataset['size'] = settings.size
  if (settings.key === '') return () => {}
  // The longest hold-back until the service answers with that of the project.
  const queue = createQueue(createRows(list, settings), settings.hold ?? maxHoldS)
  let broadcastId = 0
  let deletions = new Deletions()

  const star = createStar(list, {
    marks: settings.marks,
    load: (event_id) =>
      ask<ChatMessage>(service, settings, 'messages/message', { broadcast_id: broadcastId, event_id }),
  })

  let retry: ReturnType<typeof setTimeout> | undefined
  /** Deletions that arrive during requests: their answers may be older. */
  const during = new Set<ChatChange[]>()

  /** Number of the last load, and whether the list is behind the service until it ends. */
  let last = 0
  let isBehind = false

  /** Loads the star and the messages after a gap, and removes rows that the service has not any more. */
  async function load(id: number): Promise<void> {
    clearTimeout(retry)
    const attempt = ++last
    isBehind = true
    const before = queue.all()
    const changes: ChatChange[] = []
    during.add(changes)
    const known = await ask<Known>(service, settings, 'capabilities', { broadcast_id: id }).catch(() => null)
    if (id === broadcastId && known) {
      if (settings.hold === null) queue.holdFor(Number(known.hold_back) || 0)
      star.answered({ starred: known.starred ?? null, star_seq: Number(known.star_seq) || 0 })
    }
    // More messages than one page may have arrived meanwhile. Rows that the page does not have may be deleted: they are removed.
    const which = { broadcast_id: id, limit: before.length === 0 ? maxRows : mostAtOnce }
    const page = await ask<{ items?: ChatMessage[] }>(service, settings, 'messages', which).catch(() => null)
    during.delete(changes)
    // A later load compares more: this answer may have messages that were deleted while the connection was lost.
    if (id !== broadcastId || attempt !== last) return
    if (!known || !page?.items) return void (retry = setTimeout(() => void load(id), retryMs))
    const items = page.items.filter((message) => isVisible(message) && !changes.some((one) => deletes(one, message)))
    const visible = new Set(items.map(({ event_id }) => event_id))
    const gone = new Set(before.flatMap(({ event_id, seq }) => (seq === 0 || visible.has(event_id) ? [] : [event_id])))
    queue.remove(({ event_id }) => gone.has(event_id))
    isBehind = false
    queue.release()
    // With fading rows, old messages would only flash.
    if (settings.fade === 0) for (const message of items.slice(-atStart)) queue.add(message)
  }

  const stop = follow({
    ...service,
    key: settings.key,
    listener: {
      broadcast: (id) => {
        broadcastId = id ?? 0
        clearTimeout(retry)
        isBehind = false
        queue.clear()
        star.reset()
        deletions = new Deletions()
      },
      lost: () => queue.stop(),
      connected: (isGap) => {
        queue.start()
        if (isGap) void load(broadcastId)
        // The publications that were missed follow in the same task: deletions of messages that wait, too.
        else queueMicrotask(() => isBehind || queue.release())
      },
      data: (data) => {
        const changes = deletions.current(changesOf(data))
        for (const change of changes) apply(change, queue)
        for (const one of during) one.push(...changes)
        star.apply(changes)
      },
    },
  })
  return () => {
    stop()
    broadcastId = 0
    clearTimeout(retry)
    queue.clear()
    star.reset()
  }
}

function apply(change: ChatChange, queue: Queue): void {
  if (change.action === 'got' || change.action === 'create') queue.add(change)
  else queue.remove((message) => deletes(change, message))
}

/** Returns whether a change deletes a message. */
const deletes = (change: ChatChange, message: ChatMessage): boolean =>
  change.action === 'deleted'
    ? change.event_id === message.event_id
    : change.action === 'cleared' && isCleared(message, change)

/** Changes of a publication; none of another kind, or of one that is not readable. */
function changesOf(data: unknown): readonly ChatChange[] {
  const batch = data as Partial<ChatBatch> | null
  return batch?.event === 'messages' && Array.isArray(batch.payload) ? batch.payload : []
}

/**
 * Reads from the chat with the key; null: the service refuses.
 * @throws Error when the service fails, does not answer or is too busy
 */
async function ask<T>(
  { baseUrl }: Service,
  { key }: OverlaySettings,
  name: 'capabilities' | 'messages' | 'messages/message',
  which: Readonly<Record<string, string | number>>,
): Promise<T | null> {
  const query = new URLSearchParams({ v: '1', language: 'en', key })
  for (const [field, value] of Object.entries(which)) query.set(field, String(value))
  const answer = await fetch(`${baseUrl}/method/chat/${name}?${query.toString()}`, { credentials: 'omit' })
  if (answer.ok) return (await answer.json()) as T
  if (answer.status >= 500 || answer.status === 429) throw new Error(`The service answered ${answer.status}`)
  return null
}
