// Realtime events of a project's broadcasts for clients with a chat key and no session: overlay and dock. Reconnects
// forever, and follows the next broadcast.
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import { createRetries } from '#src/lib/backoff.ts'

interface Polled {
  readonly access_token: string
  readonly connection_token?: string | undefined
  readonly broadcast_id: number
}

/** Events of a feed. */
export interface FeedListener {
  /** Another broadcast is on air, or none. */
  readonly broadcast: (id: number | null) => void
  /** A publication of the broadcast's channel. */
  readonly data: (data: unknown) => void
  /** The connection is complete. Publications of the chat before it may be missing. */
  readonly connected: () => void
  /** The connection is not complete: publications are missed until `connected`. */
  readonly lost?: () => void
  /** The service refused the key, or accepted it. */
  readonly refused?: (isRefused: boolean) => void
}

interface Options {
  /** Base URL of the API. */
  readonly baseUrl: string
  /** URL of the realtime connection, `wss://…`. */
  readonly realtimeUrl: string
  readonly key: string
  readonly listener: FeedListener
}

/** Interval of the question for another broadcast while one is on air, milliseconds. */
const askMs = 30_000
/** Delay after a refusal, milliseconds. */
const refusedMs = 30_000
/** Seconds that the service waits for a broadcast, and that an answer may take. */
const waitS = 25
const patienceS = 20

/**
 * Follows the broadcasts of a key.
 * @returns a function that ends the connection
 */
export function followKey({ baseUrl, realtimeUrl, key, listener }: Options): () => void {
  let isOver = false
  let current: { readonly id: number; readonly close: () => void } | null = null
  let wake = () => {}
  let cancel = () => {}

  /** Returns the broadcast on air; null: none within the time. */
  async function poll(wait: number): Promise<Polled | null> {
    const query = new URLSearchParams({ v: '1', language: 'en', key, wait: String(wait) })
    const aborting = new AbortController()
    cancel = () => aborting.abort()
    const timer = setTimeout(cancel, (wait + patienceS) * 1_000)
    try {
      const url = `${baseUrl}/method/broadcast/longpoll?${query.toString()}`
      const answer = await fetch(url, { signal: aborting.signal, credentials: 'omit', cache: 'no-store' })
      if (answer.status === 204) return null
      if (!answer.ok) throw new Refusal(answer.status)
      return (await answer.json()) as Polled
    } finally {
      clearTimeout(timer)
    }
  }

  function enter(polled: Polled): void {
    if (current?.id === polled.broadcast_id) return
    leave()
    listener.broadcast(polled.broadcast_id)
    const end = () => {
      leave()
      wake()
    }
    const check = () => wake()
    current = { id: polled.broadcast_id, close: subscribe({ url: realtimeUrl, polled, poll, listener, end, check }) }
  }

  function leave(): void {
    if (!current) return
    const { close } = current
    current = null
    close()
    if (!isOver) listener.broadcast(null)
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    const retries = createRetries()
    while (!isOver) {
      try {
        const polled = await poll(current ? 0 : waitS)
        if (isOver) return
        retries.reset()
        listener.refused?.(false)
        if (polled) enter(polled)
        else leave()
        if (polled) await pause(askMs)
      } catch (error) {
        if (isOver) return
        const isRefused = error instanceof Refusal && error.status === 400
        if (isRefused) {
          leave()
          listener.refused?.(true)
        }
        const delayMs = retries.next()
        await pause(isRefused ? refusedMs : delayMs)
      }
    }
  }

  void run()
  return () => {
    isOver = true
    leave()
    cancel()
    wake()
  }
}

/** The service answered with an error. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The service answered ${status}`)
    this.status = status
  }
}

interface Subscribing {
  readonly url: string
  readonly polled: Polled
  readonly poll: (wait: number) => Promise<Polled | null>
  readonly listener: FeedListener
  /** The service ended the connection for good. */
  readonly end: () => void
  /** The broadcast has ended: the next one may be on air already. */
  readonly check: () => void
}

const isEnd = (data: unknown): boolean => (data as { event?: unknown } | null)?.event === 'broadcast.ended'

/** Subscribes to the channel of a broadcast. @returns a function that disconnects */
function subscribe({ url, polled, poll, listener, end, check }: Subscribing): () => void {
  /** New tokens after the first ones expired, for the same broadcast only. */
  async function again(): Promise<Polled> {
    const next = await poll(0)
    if (next?.broadcast_id !== polled.broadcast_id) throw new UnauthorizedError('The broadcast has ended')
    return next
  }
  const tokenOf = ({ connection_token, access_token }: Polled) => connection_token ?? access_token
  const client = new Centrifuge(url, {
    token: tokenOf(polled),
    getToken: async () => tokenOf(await again()),
    minReconnectDelay: 200,
    maxReconnectDelay: 10_000,
  })
  const subscription = client.newSubscription(`$broadcast:${polled.broadcast_id}`, {
    token: polled.access_token,
    getToken: async () => (await again()).access_token,
    minResubscribeDelay: 200,
    maxResubscribeDelay: 10_000,
  })
  // Without a listener the client throws its errors; states show their effect.
  const ignore = () => undefined
  const ignoreErrors = () => {
    client.on('error', ignore)
    subscription.on('error', ignore)
  }
  ignoreErrors()
  subscription.on('publication', ({ data }) => {
    if (isEnd(data)) check()
    listener.data(data)
  })
  subscription.on('subscribing', () => listener.lost?.())
  subscription.on('subscribed', () => listener.connected())
  subscription.on('unsubscribed', end)
  client.on('disconnected', end)
  subscription.subscribe()
  client.connect()
  return () => {
    subscription.removeAllListeners()
    client.removeAllListeners()
    ignoreErrors()
    client.disconnect()
  }
}
