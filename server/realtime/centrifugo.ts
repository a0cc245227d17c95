// Publications to a Centrifugo over its HTTP API, in the order in which they happened, many at a time.
import { channelNames, type Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'

const batchMax = 100
/** Publications that wait while it cannot be reached; beyond that the oldest are lost, and clients ask again. */
const waitingMax = 5_000
const timeoutMs = 5_000
const retryMs = { first: 250, longest: 10_000 }

export interface CentrifugoOptions {
  /** Origin, for example `http://127.0.0.1:8000`. */
  readonly url: string
  readonly apiKey: string
  onFault(error: unknown): void
}

interface Waiting {
  readonly channel: string
  readonly data: Publication
}

/** Makes what publishes. */
export function createCentrifugo({ url, apiKey, onFault }: CentrifugoOptions) {
  let waiting: Waiting[] = []
  let sending: Promise<void> | null = null
  let closed = false
  let wake = () => {}

  async function send(batch: readonly Waiting[]): Promise<void> {
    const commands = batch.map((publish) => ({ publish }))
    const answer = await fetch(`${url}/api/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ commands }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok) throw new Error(`Centrifugo answered ${answer.status}`)
    const { replies = [] } = (await answer.json()) as { replies?: { error?: { code: number; message: string } }[] }
    // A channel that it does not know stays unknown: trying again would hold up the others.
    for (const { error } of replies) if (error) onFault(new Error(`Centrifugo refused: ${error.message}`))
  }

  async function drain(): Promise<void> {
    let wait = retryMs.first
    while (waiting.length > 0 && !closed) {
      const batch = waiting.slice(0, batchMax)
      try {
        await send(batch)
        waiting = waiting.filter((one) => !batch.includes(one))
        wait = retryMs.first
      } catch (error) {
        onFault(error)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, wait).unref()
        })
        wait = Math.min(wait * 2, retryMs.longest)
      }
    }
    sending = null
  }

  return {
    publish(channel: Channel, data: Publication): void {
      for (const name of channelNames(channel)) waiting.push({ channel: name, data })
      if (waiting.length > waitingMax) waiting = waiting.slice(-waitingMax)
      // Whatever happens in the same moment goes together.
      sending ??= Promise.resolve().then(drain)
    },
    async close(): Promise<void> {
      closed = true
      wake()
      await sending
    },
  }
}
