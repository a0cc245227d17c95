// The official client, loaded on demand: one connection per project, tokens by the session layer, publications go
// into the query cache. A hidden page sends no requests to the API.
import type { QueryClient } from '@tanstack/react-query'
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { channelName } from '#contract/events/channels.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { createRetries } from '#src/lib/backoff.ts'
import { isTransient } from '#src/session/errors.ts'
import type { AuthSession } from '#src/session/types.ts'
import { applyLive, applyProject, catchUp } from './apply.ts'
import type { RealtimeStatus } from './store.ts'

/** Disconnections shorter than this are not shown, milliseconds. */
const patienceMs = 3_000
/** Timeout of the ping when the tab wakes up, milliseconds. */
const proofMs = 800

interface Connecting {
  readonly url: string
  readonly projectId: number
  readonly queries: QueryClient
  readonly session: AuthSession
  readonly tell: (status: RealtimeStatus) => void
}

/** Listener to a channel beside those of the project. */
export interface ChannelListener {
  readonly data: (data: unknown) => void
  /** Subscribed. Publications of the chat before it may be missing. */
  readonly connected: () => void
}

/** Subscribes to a channel on the open connection. Null without a connection. */
let subscribeTo: ((name: string, listener: ChannelListener) => () => void) | null = null
/** Listeners, with the function that ends the subscription on the current connection. */
const joined = new Map<{ readonly name: string; readonly listener: ChannelListener }, (() => void) | undefined>()

/**
 * Listens to a channel of the open project, such as that of a broadcast or of a film, on this connection and on later ones.
 * @returns a function that ends it
 */
export function joinChannel(type: 'broadcast' | 'media_file', id: number, listener: ChannelListener): () => void {
  const name = channelName(type, id)
  const entry = { name, listener }
  joined.set(entry, subscribeTo?.(name, listener))
  return () => {
    const leave = joined.get(entry)
    joined.delete(entry)
    leave?.()
  }
}

/** Ignores an error: the states of connection and subscriptions show its effect. Without a listener, emitters throw it. */
const ignore = () => undefined

/**
 * Connects to the channels of a project.
 * @returns a function that disconnects
 */
export function connectRealtime({ url, projectId, queries, session, tell }: Connecting): () => void {
  const sessionId = sessionOf(queries)
  const client = new Centrifuge(url, {
    getToken: async () =>
      (await whenSeen(() => call(tokens.connect, { project_id: projectId }, { sessionId }))).access_token,
    minReconnectDelay: 200,
    maxReconnectDelay: 10_000,
    timeout: 5_000,
  })
  const channel = channelName('project_live', projectId)
  const live = client.newSubscription(channel, {
    getToken: async () =>
      (await whenSeen(() => call(tokens.channel, { project_id: projectId, channel_name: channel }, { sessionId })))
        .access_token,
    minResubscribeDelay: 200,
    maxResubscribeDelay: 10_000,
  })
  const project = client.newSubscription(channelName('project', projectId))

  let worry: ReturnType<typeof setTimeout> | undefined
  const lost = () => {
    worry ??= setTimeout(() => tell('away'), patienceMs)
  }
  const found = () => {
    clearTimeout(worry)
    worry = undefined
    tell('live')
  }

  let isFirst = true
  let isOver = false
  const retries = createRetries()
  let retry: ReturnType<typeof setTimeout> | undefined
  const connect = () => {
    live.subscribe()
    project.subscribe()
    client.connect()
  }
  const connectAgain = async () => {
    await seen()
    retry = undefined
    if (isOver) return
    client.setToken('')
    connect()
  }
  let isRefused = false
  /**
   * Without the channel, pages poll. A subscriber that has lost its permission sees the reason immediately, and may get it
   * again: the connection retries, less and less often.
   */
  const refused = () => {
    tell('away')
    if (!isFirst && !isRefused) catchUp(queries, projectId, 'everything')
    isRefused = true
    retry ??= setTimeout(() => void connectAgain(), retries.next())
  }
  live.on('publication', ({ data }) => applyLive(queries, projectId, data))
  live.on('subscribed', ({ wasRecovering, recovered }) => {
    found()
    const isGap = !(wasRecovering && recovered)
    if (isGap) catchUp(queries, projectId, isFirst && !isRefused ? 'status' : 'everything')
    isFirst = false
    isRefused = false
    retries.reset()
  })
  live.on('subscribing', lost)
  live.on('unsubscribed', refused)
  project.on('publication', ({ data }) => applyProject(queries, projectId, data, live.state === 'subscribed'))
  client.on('disconnected', ({ code }) => code !== 0 && refused())
  const ignoreErrors = () => {
    client.on('error', ignore)
    live.on('error', ignore)
    project.on('error', ignore)
  }
  ignoreErrors()

  const offWake = session.onAuthStateChange((event) => {
    if (event.type === 'woke') void wake(client, () => live.history({ limit: 0 }))
  })
  const subscribeHere = channelsOf(client, projectId, sessionId)
  subscribeTo = subscribeHere
  for (const entry of joined.keys()) joined.set(entry, subscribeTo(entry.name, entry.listener))

  lost()
  connect()

  return () => {
    isOver = true
    clearTimeout(worry)
    clearTimeout(retry)
    offWake()
    if (subscribeTo === subscribeHere) {
      subscribeTo = null
      for (const entry of joined.keys()) joined.set(entry, undefined)
    }
    live.removeAllListeners()
    project.removeAllListeners()
    client.removeAllListeners()
    // A token request that is still under way may fail later.
    ignoreErrors()
    client.disconnect()
  }
}

/** Returns a function that subscribes to a channel on a connection; its result ends the subscription. */
function channelsOf(client: Centrifuge, projectId: number, sessionId: string | null) {
  return (name: string, listener: ChannelListener) => {
    const known = client.getSubscription(name)
    // Repeated after a refusal, too: pages do not poll while the project's own channel works.
    const getToken = async () => {
      await seen()
      return (await call(tokens.channel, { project_id: projectId, channel_name: name }, { sessionId })).access_token
    }
    const one =
      known ?? client.newSubscription(name, { getToken, minResubscribeDelay: 200, maxResubscribeDelay: 30_000 })
    const onData = ({ data }: { data: unknown }) => listener.data(data)
    const onSubscribed = () => listener.connected()
    one.on('publication', onData)
    one.on('subscribed', onSubscribed)
    if (one.state === 'subscribed') listener.connected()
    if (!known) one.on('error', ignore)
    one.subscribe()
    return () => {
      one.off('publication', onData)
      one.off('subscribed', onSubscribed)
      if ([...joined.keys()].some((entry) => entry.name === name)) return
      one.unsubscribe()
      client.removeSubscription(one)
    }
  }
}

/** A tab that slept may hold a dead connection: without an immediate pong it reconnects. */
async function wake(client: Centrifuge, ask: () => Promise<unknown>): Promise<void> {
  if (client.state === 'disconnected') return
  const isThere =
    client.state === 'connected' &&
    (await Promise.race([
      ask().then(
        () => true,
        // A server without history has responded as well.
        (error: { code?: number }) => (error.code ?? 0) >= 100,
      ),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), proofMs)),
    ]))
  if (isThere || (client.state as string) === 'disconnected') return
  client.disconnect()
  client.connect()
}

/** Requests a token from the API while the page is visible. The client retries all errors but a refusal. */
async function whenSeen<T>(ask: () => Promise<T>): Promise<T> {
  await seen()
  try {
    return await ask()
  } catch (error) {
    throw isTransient(error) ? error : new UnauthorizedError(String(error))
  }
}

const seen = (): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve()
    const look = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
  })
