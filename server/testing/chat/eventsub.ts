// Test double of Twitch's EventSub over WebSocket and of the chat operations of Helix
// (dev.twitch.tv/docs/eventsub/handling-websocket-events, /docs/api/reference).
import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'

interface Subscription {
  readonly id: string
  readonly type: string
  readonly condition: Readonly<Record<string, string>>
  session: string
}

/** Request of Helix, after the path. */
export interface HelixRequest {
  readonly name: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string
}

export interface HelixAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A chat message of EventSub. */
export interface EventSubMessage {
  readonly id?: string
  readonly from?: { readonly id: string; readonly login: string; readonly name: string }
  readonly more?: Readonly<Record<string, unknown>>
}

export interface EventSubDouble {
  accept(socket: WebSocket): void
  /** Answers an operation of Helix; undefined: unknown. */
  helix(request: HelixRequest): HelixAnswer | undefined
  readonly subscriptions: Subscription[]
  /** Writes and acts: operation and its parameters. */
  readonly acts: { readonly name: string; readonly query: Record<string, string>; readonly body: unknown }[]
  /** Publishes a message to the subscriptions of a channel. @returns its id */
  say(channel: string, text: string, message?: EventSubMessage): string
  /** Publishes an event. @param messageId repeat it for a duplicate */
  publish(type: string, event: Readonly<Record<string, unknown>>, messageId?: string): void
  /** Ends the subscriptions. */
  revoke(status?: string): void
  /** Moves the sessions to a new connection, as before a restart. */
  moveSessions(): void
  /** Sends bytes as they are. */
  raw(text: string): void
  /** Closes the connections. 4003: connection unused. */
  drop(code?: number): void
  /** Valid access tokens. */
  readonly tokens: Set<string>
  /** Scopes of all tokens. */
  scopes: string[]
  /** Status that the next writes return. */
  refuse: number | null
  /** Reason for which the next messages are dropped. */
  dropReason: string | null
  readonly sockets: ReadonlySet<WebSocket>
  keepaliveSeconds: number
}

/** A subscription as frames show it. */
const subscriptionOf = ({ id, type, condition, session }: Subscription, status: string) => ({
  id,
  type,
  version: '1',
  status,
  cost: 0,
  condition,
  transport: { method: 'websocket', session_id: session },
  created_at: new Date().toISOString(),
})

/** Event of a chat message. */
const messageEvent = (
  channel: string,
  text: string,
  id: string,
  from: { readonly id: string; readonly login: string; readonly name: string },
  more: Readonly<Record<string, unknown>>,
) => ({
  broadcaster_user_id: channel,
  broadcaster_user_login: 'ann',
  broadcaster_user_name: 'Ann',
  chatter_user_id: from.id,
  chatter_user_login: from.login,
  chatter_user_name: from.name,
  message_id: id,
  message: { text, fragments: [{ type: 'text', text, cheermote: null, emote: null, mention: null }] },
  message_type: 'text',
  color: '#1E90FF',
  badges: [],
  cheer: null,
  reply: null,
  channel_points_custom_reward_id: null,
  source_broadcaster_user_id: null,
  source_message_id: null,
  source_badges: null,
  is_source_only: null,
  ...more,
})

/** Creates the double. @param user the account of every token */
export function eventSubDouble(user = { id: '777', login: 'ann', name: 'Ann' }): EventSubDouble {
  const sessions = new Map<WebSocket, string>()
  const subscriptions: Subscription[] = []
  const send = (socket: WebSocket, type: string, payload: unknown, more: object = {}, id: string = randomUUID()) =>
    socket.send(
      JSON.stringify({
        metadata: { message_id: id, message_type: type, message_timestamp: new Date().toISOString(), ...more },
        payload,
      }),
    )
  let moving: string[] = []

  const double: EventSubDouble = {
    subscriptions,
    acts: [],
    tokens: new Set(['access-1', 'access-2']),
    scopes: ['user:read:chat', 'user:write:chat', 'moderator:manage:chat_messages', 'moderator:manage:banned_users'],
    refuse: null,
    dropReason: null,
    keepaliveSeconds: 10,
    get sockets() {
      return new Set(sessions.keys())
    },
    accept(socket) {
      const moved = moving.shift()
      const session = moved ?? randomUUID()
      const old = [...sessions].find(([, id]) => id === moved)?.[0]
      sessions.set(socket, session)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sessions.delete(socket)
        // Subscriptions die with their session.
        if (![...sessions.values()].includes(session))
          subscriptions.splice(0, subscriptions.length, ...subscriptions.filter((one) => one.session !== session))
      })
      const keepalive = setInterval(() => send(socket, 'session_keepalive', {}), (double.keepaliveSeconds * 1000) / 2)
      socket.on('close', () => clearInterval(keepalive))
      send(socket, 'session_welcome', {
        session: {
          id: session,
          status: 'connected',
          keepalive_timeout_seconds: double.keepaliveSeconds,
          reconnect_url: null,
          connected_at: new Date().toISOString(),
        },
      })
      old?.close(4004)
    },
    helix(request) {
      return answerHelix(double, user, sessions, request)
    },
    say(channel, text, { id = randomUUID(), from = { id: '5', login: 'bob', name: 'Bob' }, more = {} } = {}) {
      double.publish('channel.chat.message', messageEvent(channel, text, id, from, more))
      return id
    },
    publish(type, event, messageId = randomUUID()) {
      for (const one of subscriptions.filter((subscription) => subscription.type === type)) {
        const socket = [...sessions].find(([, id]) => id === one.session)?.[0]
        const subscription = subscriptionOf(one, 'enabled')
        if (socket)
          send(
            socket,
            'notification',
            { subscription, event },
            { subscription_type: type, subscription_version: '1' },
            messageId,
          )
      }
    },
    revoke(status = 'authorization_revoked') {
      for (const one of subscriptions.splice(0)) {
        const socket = [...sessions].find(([, id]) => id === one.session)?.[0]
        const subscription = subscriptionOf(one, status)
        if (socket)
          send(socket, 'revocation', { subscription }, { subscription_type: one.type, subscription_version: '1' })
      }
    },
    moveSessions() {
      moving = [...sessions.values()]
      for (const [socket, id] of sessions) {
        const url = `${(socket as WebSocket & { origin?: string }).origin ?? ''}/ws?id=moved`
        send(socket, 'session_reconnect', {
          session: { id, status: 'reconnecting', keepalive_timeout_seconds: null, reconnect_url: url },
        })
      }
    },
    raw: (text) => sessions.forEach((_, socket) => socket.send(text)),
    drop: (code) => sessions.forEach((_, socket) => (code === undefined ? socket.terminate() : socket.close(code))),
  }
  return double
}

const neededScope: Readonly<Record<string, string>> = {
  'POST eventsub/subscriptions': 'user:read:chat',
  'POST chat/messages': 'user:write:chat',
  'DELETE moderation/chat': 'moderator:manage:chat_messages',
  'POST moderation/bans': 'moderator:manage:banned_users',
  'DELETE moderation/bans': 'moderator:manage:banned_users',
}

function answerHelix(
  double: EventSubDouble,
  user: { readonly id: string; readonly login: string; readonly name: string },
  sessions: ReadonlyMap<WebSocket, string>,
  { name, query, body, token }: HelixRequest,
): HelixAnswer | undefined {
  const refused = (status: number, message: string): HelixAnswer => ({
    status,
    body: { error: 'Refused', status, message },
  })
  if (!double.tokens.has(token)) return refused(401, 'Invalid OAuth token')
  if (name === 'GET users')
    return {
      status: 200,
      body: { data: [{ id: user.id, login: user.login, display_name: user.name, profile_image_url: '' }] },
    }
  if (name === 'GET streams/key') return { status: 200, body: { data: [{ stream_key: 'twitch-key' }] } }
  const scope = neededScope[name]
  if (scope === undefined) return undefined
  if (!double.scopes.includes(scope))
    return refused(name.startsWith('POST eventsub') ? 403 : 401, `Missing scope: ${scope}`)
  if (double.refuse !== null && !name.includes('eventsub')) return refused(double.refuse, 'Refused by the test')
  if (name === 'POST eventsub/subscriptions') {
    const { type, condition, transport } = body as unknown as {
      type: string
      condition: Record<string, string>
      transport: { session_id: string }
    }
    if (![...sessions.values()].includes(transport.session_id))
      return refused(400, 'websocket transport session does not exist')
    const one: Subscription = { id: randomUUID(), type, condition, session: transport.session_id }
    double.subscriptions.push(one)
    return {
      status: 202,
      body: {
        data: [
          {
            id: one.id,
            status: 'enabled',
            type,
            version: '1',
            condition,
            transport,
            cost: 0,
            created_at: new Date().toISOString(),
          },
        ],
        total: 1,
        total_cost: 0,
        max_total_cost: 10,
      },
    }
  }
  double.acts.push({ name, query: Object.fromEntries(query), body })
  if (name !== 'POST chat/messages')
    return name.startsWith('DELETE') ? { status: 204 } : { status: 200, body: { data: [{}] } }
  const id = randomUUID()
  const isSent = double.dropReason === null
  const drop_reason = isSent ? null : { code: double.dropReason, message: 'Dropped by the test' }
  return { status: 200, body: { data: [{ message_id: isSent ? id : '', is_sent: isSent, drop_reason }] } }
}
