// Publisher to a Centrifugo over its HTTP API, in order and in batches.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { channelNames, type Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import { readText } from '#server/core/provider-http.ts'

const batchMax = 100
/** Publications queued while Centrifugo is unreachable. Above the limit the oldest are dropped, and clients reload. */
const waitingMax = 5_000
const timeoutMs = 5_000
/** Waits after a failed batch. */
export const publishRetries: Backoff = { firstMs: 250, mostMs: 10_000 }

export interface CentrifugoOptions {
  /** Origin, for example `http://127.0.0.1:8000`. */
  readonly url: string
  readonly apiKey: string
  onFault(error: unknown): void
}

interface QueuedPublication {
  readonly channel: string
  readonly data: Publication
  /** Clients read what they missed of a chat from the API. */
  readonly skip_history?: true
}

interface Replies {
  readonly replies?: readonly { readonly error?: { readonly code: number; readonly message: string } }[]
}

/** Creates a publisher. */
export function createCentrifugo({ url, apiKey, onFault }: CentrifugoOptions) {
  let waiting: QueuedPublication[] = []
  let sending: Promise<void> | null = null
  let closed = false
  let wake = () => {}

  async function send(batch: readonly QueuedPublication[]): Promise<void> {
    const commands = batch.map((publish) => ({ publish }))
    const response = await fetch(`${url}/api/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ commands }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`Centrifugo answered ${response.status}`)
    const { replies = [] } = JSON.parse(await readText(response)) as Replies
    // An unknown channel stays unknown: a retry would delay the others.
    for (const { error } of replies) if (error) onFault(new Error(`Centrifugo refused: ${error.message}`))
  }

  async function drain(): Promise<void> {
    let failures = 0
    while (waiting.length > 0 && !closed) {
      const batch = waiting.slice(0, batchMax)
      try {
        await send(batch)
        waiting = waiting.filter((one) => !batch.includes(one))
        failures = 0
      } catch (error) {
        onFault(error)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, backoffMs(publishRetries, ++failures)).unref()
        })
      }
    }
    sending = null
  }

  return {
    publish(channel: Channel, data: Publication): void {
      const isChat = 'event' in data && data.event === 'messages'
      for (const name of channelNames(channel))
        waiting.push({ channel: name, data, ...(isChat && { skip_history: true }) })
      if (waiting.length > waitingMax) waiting = waiting.slice(-waitingMax)
      // Publications of the same tick share a batch.
      sending ??= Promise.resolve().then(drain)
    },
    async close(): Promise<void> {
      closed = true
      wake()
      await sending
    },
  }
}
