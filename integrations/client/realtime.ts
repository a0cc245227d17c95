// Realtime connection of a project, by the official client of Centrifugo.
import { Centrifuge, type Subscription, UnauthorizedError } from 'centrifuge'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { channelName } from '#contract/events/channels.ts'
import type { Call } from './call.ts'
import { CallFailed, isTransient, type Result } from './errors.ts'
import type { BroadcastEvent, BroadcastPublication, BroadcastStatus, ChannelEvent, ProjectEvent } from './types.gen.ts'

/** Publications in the live channel of a project. */
export type ProjectLiveEvent =
  | { readonly event: 'live-status'; readonly payload: BroadcastStatus }
  | { readonly event: 'broadcast-event'; readonly broadcast_id: number; readonly payload: BroadcastEvent }
  | { readonly event: 'changed'; readonly payload: { readonly operation: string; readonly stale: readonly string[] } }

/** Publications by the kind of their channel. `broadcast…`: the id is that of a broadcast, else that of the project. */
export interface Publications {
  readonly project: ProjectEvent
  readonly project_live: ProjectLiveEvent
  readonly channels: ChannelEvent
  readonly broadcast: BroadcastPublication
  readonly broadcast_restreams: { readonly id: number; readonly videoUrl: string | null }
  readonly broadcast_restream_stats: {
    readonly id: number
    readonly channel_id: number
    readonly viewer: number
    readonly message: number
    readonly like: number
  }
}

/** `refused`: the token has no access any more, or never had; the connection does not try again. */
export type RealtimeState = 'connecting' | 'connected' | 'refused' | 'closed'

/** Settings of a connection. */
export interface RealtimeOptions {
  readonly onState?: (state: RealtimeState) => void
}

/** Listener to a channel. */
export interface Listener<T> {
  readonly data: (publication: T) => void
  /**
   * Subscribed. `isComplete`: nothing was missed since the last publication. Otherwise, and the first time, read the state by
   * a call.
   */
  readonly subscribed?: (isComplete: boolean) => void
  /** The subscription was refused; it does not try again. */
  readonly refused?: (message: string) => void
}

/** Realtime connection of a project. */
export interface Realtime {
  readonly state: RealtimeState
  /**
   * Subscribes to a channel.
   * @param id project or broadcast
   * @returns a function that ends it
   */
  subscribe<K extends keyof Publications>(kind: K, id: number, listener: Listener<Publications[K]>): () => void
  close(): void
}

interface Connecting {
  readonly call: Call
  readonly address: () => Promise<string>
  readonly projectId: number
  readonly WebSocket: unknown
}

/** Delays between attempts. */
const retries: Backoff = { firstMs: 200, mostMs: 10_000, jitter: 0.5 }
const delays = { first: retries.firstMs, most: retries.mostMs }

/** A subscription that waits for the address of the connection, or its end. */
interface Waiting {
  readonly join: (client: Centrifuge) => () => void
  leave?: () => void
}

/** Opens the connection. */
export function openRealtime(options: Connecting, { onState }: RealtimeOptions): Realtime {
  let state: RealtimeState = 'connecting'
  let client: Centrifuge | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  const wanted = new Set<Waiting>()
  const setState = (next: RealtimeState) => {
    if (state === next || state === 'closed') return
    state = next
    onState?.(next)
  }

  async function start(failures = 0): Promise<void> {
    const endpoint = await options.address().catch(() => null)
    if (state === 'closed') return
    if (endpoint === null) {
      retry = setTimeout(() => void start(failures + 1), backoffMs(retries, failures + 1))
      return
    }
    client = connect(options, endpoint, setState)
    for (const one of wanted) one.leave = one.join(client)
  }
  void start()

  return {
    get state() {
      return state
    },
    subscribe(kind, id, listener) {
      const one: Waiting = {
        join: (connection) =>
          join(connection, channelName(kind, id), options, listener as Listener<Publications[keyof Publications]>),
      }
      wanted.add(one)
      if (client) one.leave = one.join(client)
      return () => {
        wanted.delete(one)
        one.leave?.()
        delete one.leave
      }
    },
    close() {
      clearTimeout(retry)
      setState('closed')
      client?.disconnect()
    },
  }
}

function connect(
  { call, projectId, WebSocket }: Connecting,
  endpoint: string,
  setState: (state: RealtimeState) => void,
): Centrifuge {
  const client = new Centrifuge(endpoint, {
    getToken: async () => tokenOf(await call('realtime.tokens.connect', { project_id: projectId })),
    minReconnectDelay: delays.first,
    maxReconnectDelay: delays.most,
    ...(WebSocket !== undefined && { websocket: WebSocket }),
  })
  client.on('connected', () => setState('connected'))
  client.on('connecting', () => setState('connecting'))
  client.on('disconnected', () => setState('refused'))
  // States show the effect of errors. Without a listener, the emitter throws them.
  client.on('error', () => undefined)
  client.connect()
  return client
}

/** Listens to a channel; listeners share its subscription. @returns a function that ends it */
function join<T>(client: Centrifuge, name: string, options: Connecting, listener: Listener<T>): () => void {
  const one = client.getSubscription(name) ?? newSubscription(client, name, options)
  const onData = ({ data }: { data: unknown }) => listener.data(data as T)
  const onSubscribed = ({ wasRecovering, recovered }: { wasRecovering: boolean; recovered: boolean }) =>
    listener.subscribed?.(wasRecovering && recovered)
  const onUnsubscribed = ({ code, reason }: { code: number; reason: string }) =>
    code !== 0 && listener.refused?.(reason)
  one.on('publication', onData)
  one.on('subscribed', onSubscribed)
  one.on('unsubscribed', onUnsubscribed)
  if (one.state === 'subscribed') listener.subscribed?.(false)
  one.subscribe()
  return () => {
    one.off('publication', onData)
    one.off('subscribed', onSubscribed)
    one.off('unsubscribed', onUnsubscribed)
    if (one.listeners('publication').length > 0) return
    one.unsubscribe()
    client.removeSubscription(one)
  }
}

function newSubscription(client: Centrifuge, name: string, { call, projectId }: Connecting): Subscription {
  const input = { project_id: projectId, channel_name: name }
  // The connection's own channel needs no token.
  const needsToken = name.startsWith('$')
  const made = client.newSubscription(name, {
    ...(needsToken && { getToken: async () => tokenOf(await call('realtime.tokens.channel', input)) }),
    minResubscribeDelay: delays.first,
    maxResubscribeDelay: delays.most,
  })
  made.on('error', () => undefined)
  return made
}

/** Returns the token of a response. The client of Centrifugo repeats the call after all errors but `UnauthorizedError`. */
function tokenOf(result: Result<{ access_token: string }>): string {
  if (result.ok) return result.data.access_token
  if (isTransient(result.error)) throw new CallFailed(result.error)
  throw new UnauthorizedError(result.error.message)
}
