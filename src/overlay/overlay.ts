// The chat overlay: follows the broadcasts of a key, and shows messages after the hold-back. It shows nothing on errors.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { type ChangesPage, isDeletedBy } from '#contract/events/chat-order.ts'
import { maxHoldS, readOverlay } from '#src/lib/overlay-settings.ts'
import { followChat } from '#src/realtime/chat-follower.ts'
import { followKey } from '#src/realtime/key-feed.ts'
import { createQueue } from './queue.ts'
import { createRows, maxRows } from './rows.ts'
import type { Service } from './service-address.ts'
import { createStar } from './star.ts'

/** Messages at the start. */
const atStart = 20

/** Abilities of the chat that concern the overlay. */
interface Known {
  readonly hold_back?: number
  readonly starred?: string | null
  readonly star_rev?: number
}

/** The newest messages. */
interface NewestPage {
  readonly items: readonly ChatMessage[]
  readonly rev: number
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
  const ask = asking(service.baseUrl, settings.key)
  let broadcastId = 0
  let isConnected = false
  let leave = () => {}
  const star = createStar(list, {
    marks: settings.marks,
    load: (event_id) => ask<ChatMessage>('messages/message', { broadcast_id: broadcastId, event_id }),
  })

  function apply(changes: readonly ChatChange[], areMissed: boolean): void {
    for (const change of changes) {
      if (change.action !== 'got' && change.action !== 'create') queue.remove((message) => isDeletedBy(change, message))
      // With fading rows, old messages would only flash.
      else if (!areMissed || settings.fade === 0) queue.add(change)
    }
    star.apply(changes)
  }

  /** Follows the chat of a broadcast. */
  function enter(broadcast_id: number) {
    let isFirst = true
    let isKnown = false

    /** Reads the hold-back of the project and the star, once for each connection. */
    async function learn(): Promise<void> {
      if (isKnown) return
      const known = must(await ask<Known>('capabilities', { broadcast_id }))
      if (broadcast_id !== broadcastId) return
      isKnown = true
      if (settings.hold === null) queue.holdFor(Number(known.hold_back) || 0)
      star.apply([{ action: 'starred', event_id: known.starred ?? null, rev: Number(known.star_rev) || 0 }])
    }

    const follower = followChat({
      apply,
      read: async (after) => {
        await learn()
        return must(await ask<ChangesPage>('changes', { broadcast_id, after }))
      },
      restart: async () => {
        await learn()
        const { items, rev } = must(await ask<NewestPage>('messages', { broadcast_id, limit: maxRows }))
        const show = () => {
          queue.clear()
          if (settings.fade === 0) for (const message of items.slice(-atStart)) queue.add(message)
        }
        return { rev, show }
      },
      onCurrent: (isCurrent) => {
        if (!isCurrent) queue.stop()
        else if (isConnected) queue.start()
      },
    })
    const connected = () => {
      isKnown = false
      follower.catchUp(isFirst ? 'restart' : 'reconnected')
      isFirst = false
    }
    return { connected, take: follower.take, leave: follower.start() }
  }

  let chat: ReturnType<typeof enter> | null = null
  const stop = follow({
    ...service,
    key: settings.key,
    listener: {
      broadcast: (id) => {
        leave()
        isConnected = false
        broadcastId = id ?? 0
        chat = id === null ? null : enter(id)
        leave = chat?.leave ?? (() => {})
        queue.clear()
        star.reset()
      },
      lost: () => {
        isConnected = false
        queue.stop()
      },
      connected: () => {
        isConnected = true
        chat?.connected()
      },
      data: (data) => {
        const batch = data as Partial<ChatBatch> | null
        if (batch?.event === 'messages' && Array.isArray(batch.payload))
          chat?.take({ ...batch, payload: batch.payload })
      },
    },
  })
  return () => {
    stop()
    leave()
    broadcastId = 0
    queue.clear()
    star.reset()
  }
}

/**
 * Returns a function that reads from the chat with the key; null: the service refuses. It throws when the service fails, does not answer
 * or is too busy.
 */
const asking =
  (baseUrl: string, key: string) =>
  async <T>(
    name: 'capabilities' | 'changes' | 'messages' | 'messages/message',
    which: Readonly<Record<string, string | number>>,
  ): Promise<T | null> => {
    const query = new URLSearchParams({ v: '1', language: 'en', key })
    for (const [field, value] of Object.entries(which)) query.set(field, String(value))
    const answer = await fetch(`${baseUrl}/method/chat/${name}?${query.toString()}`, { credentials: 'omit' })
    if (answer.ok) return (await answer.json()) as T
    if (answer.status >= 500 || answer.status === 429) throw new Error(`The service answered ${answer.status}`)
    return null
  }

/** @throws Error for an answer that the service refused: it is requested again */
function must<T>(answer: T | null): T {
  if (answer === null) throw new Error('The service refused')
  return answer
}
