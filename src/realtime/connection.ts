// The official client, loaded on demand: one connection for one project, tokens by the session layer, what comes goes
// into the query cache. It asks the API for nothing while nobody looks.
import type { QueryClient } from '@tanstack/react-query'
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { channelName } from '#contract/events/channels.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { isTransient } from '#src/session/errors.ts'
import type { AuthSession } from '#src/session/types.ts'
import { applyLive, applyProject, catchUp } from './apply.ts'
import type { RealtimeStatus } from './store.ts'

/** A line that is away for less is nothing to talk about. */
const patienceMs = 3_000
/** How long the answer to "are you there?" may take when the tab comes back. */
const proofMs = 800

interface Connecting {
  readonly url: string
  readonly projectId: number
  readonly queries: QueryClient
  readonly session: AuthSession
  readonly tell: (status: RealtimeStatus) => void
}

/** The states of connection and subscriptions tell what an error means; an emitter without a listener would throw it. */
const ignore = () => undefined

/** Connects. @returns what ends it */
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
  /** Where there is no such channel, pages ask again and again. Whoever heard it and may not any more sees why at once. */
  const refused = () => {
    tell('away')
    if (!isFirst) catchUp(queries, projectId, 'everything')
  }
  live.on('publication', ({ data }) => applyLive(queries, projectId, data))
  live.on('subscribed', ({ wasRecovering, recovered }) => {
    found()
    if (!(wasRecovering && recovered)) catchUp(queries, projectId, isFirst ? 'status' : 'everything')
    isFirst = false
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
  lost()
  live.subscribe()
  project.subscribe()
  client.connect()

  return () => {
    clearTimeout(worry)
    offWake()
    live.removeAllListeners()
    project.removeAllListeners()
    client.removeAllListeners()
    // A token request that is still under way may fail later.
    ignoreErrors()
    client.disconnect()
  }
}

/** A tab that slept may hold a line that is long dead: whoever does not answer at once is called anew. */
async function wake(client: Centrifuge, ask: () => Promise<unknown>): Promise<void> {
  if (client.state === 'disconnected') return
  const isThere =
    client.state === 'connected' &&
    (await Promise.race([
      ask().then(
        () => true,
        // A server without history has answered as well.
        (error: { code?: number }) => (error.code ?? 0) >= 100,
      ),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), proofMs)),
    ]))
  if (isThere || (client.state as string) === 'disconnected') return
  client.disconnect()
  client.connect()
}

/** Asks the API when somebody looks. A refusal is for good, everything else is tried again by the client. */
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
