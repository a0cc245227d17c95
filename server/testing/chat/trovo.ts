// Test double of Trovo's chat: socket with AUTH, PING and CHAT, and the operations that chat calls (developer.trovo.live/docs).
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { type DoublePlatform, DoubleReply } from '#server/testing/providers/double.ts'
import { trovoDouble } from '#server/testing/providers/platforms.ts'

const api = 'open-api.trovo.live/openplatform'
/** The channel of the double. */
export const trovoChannel = { channel_id: '100', username: 'ann' } as const

export interface TrovoChat {
  readonly platform: DoublePlatform
  /** Accepts WebSockets on the server of the double. */
  listen(server: Server): void
  /** Writes a message. @returns it */
  say(content: string, more?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Sends a frame to all connections as it is. */
  raw(frame: string): void
  /** Closes all connections. */
  drop(): void
  /** Refuses the next act. */
  refuse(status: number): void
  /** Response of the next commands. */
  outcome: { readonly is_success: boolean; readonly display_msg: string }
  /** Distance of pings that the double demands, seconds. */
  gap: number
  readonly pings: () => number
  readonly acts: { readonly name: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** Tokens are refused. */
  isClosed: boolean
  close(): void
}

const emote = (name: string) => ({ name, description: name, url: `https://static.trovo.live/${name}.png` })
/** Operations that need the registration only. */
const publicRoutes: DoublePlatform['routes'] = {
  [`POST ${api}/getusers`]: {
    open: true,
    body: ['user'],
    answer: ({ body }) =>
      (body['user'] as string[])[0] === trovoChannel.username
        ? { users: [{ user_id: '1', nickname: 'Ann', ...trovoChannel }] }
        : new DoubleReply(404, { status: 10_702, error: 'user not found', message: 'user not found' }),
  },
  [`GET ${api}/chat/channel-token/${trovoChannel.channel_id}`]: {
    open: true,
    answer: () => ({ token: 'chat-token' }),
  },
  [`POST ${api}/getemotes`]: {
    open: true,
    body: ['emote_type', 'channel_id'],
    answer: () => ({
      channels: {
        customizedEmotes: { channel: [{ channel_id: '100', emotes: [emote('annHi')] }] },
        eventEmotes: null,
        globalEmotes: [emote('smile'), { name: 'broken' }],
      },
    }),
  },
}

/** Creates the double. */
export function trovoChat(): TrovoChat {
  const sockets = new Set<WebSocket>()
  const recent: Readonly<Record<string, unknown>>[] = []
  const refusals: number[] = []
  let wss: WebSocketServer | null = null
  let [nextId, pings, time] = [1, 0, 1_772_960_400]

  const frame = (chats: readonly unknown[], info?: object) =>
    JSON.stringify({ type: 'CHAT', ...(info && { channel_info: info }), data: { eid: `e${nextId++}`, chats } })
  const raw = (text: string) => {
    for (const socket of sockets) socket.send(text)
  }
  function obey(socket: WebSocket, asked: { type: string; nonce: string; data?: { token?: string } }): void {
    const reply = (type: string, more: object) => socket.send(JSON.stringify({ type, nonce: asked.nonce, ...more }))
    if (asked.type === 'PING') {
      pings++
      return reply('PONG', { data: { gap: double.gap } })
    }
    if (asked.type !== 'AUTH') return
    if (double.isClosed || asked.data?.token !== 'chat-token') return reply('RESPONSE', { error: 'invalid token' })
    sockets.add(socket)
    reply('RESPONSE', {})
    if (recent.length > 0) socket.send(frame(recent.slice(-20)))
  }
  const act = (name: string, answer: () => unknown, body: readonly string[] = []) => ({
    body,
    answer(request: { readonly body: Readonly<Record<string, unknown>> }) {
      const status = refusals.shift()
      if (status !== undefined) return new DoubleReply(status, { status: 12_000, error: 'refused', message: 'Refused' })
      double.acts.push({ name, body: request.body })
      return answer()
    },
  })
  const double: TrovoChat = {
    acts: [],
    outcome: { is_success: true, display_msg: '' },
    gap: 30,
    isClosed: false,
    pings: () => pings,
    raw,
    refuse: (status) => void refusals.push(status),
    say(content, more = {}) {
      const message = {
        type: 0,
        content,
        nick_name: 'Bob',
        user_name: 'bob_1',
        sender_id: 77,
        avatar: 'https://headicon.trovo.live/bob',
        medals: [],
        roles: [],
        message_id: `m_${nextId++}`,
        send_time: ++time,
        ...more,
      }
      recent.push(message)
      raw(frame([message], { channel_id: trovoChannel.channel_id }))
      return message
    },
    drop() {
      for (const socket of sockets) socket.close()
    },
    listen(server) {
      wss = new WebSocketServer({ server, path: '/open-chat.trovo.live/chat' })
      wss.on('connection', (socket) => {
        socket.on('error', () => undefined)
        socket.on('close', () => sockets.delete(socket))
        socket.on('message', (data: Buffer) => obey(socket, JSON.parse(data.toString()) as Parameters<typeof obey>[1]))
      })
    },
    close() {
      for (const socket of sockets) socket.terminate()
      wss?.close()
    },
    platform: {
      ...trovoDouble,
      routes: {
        ...trovoDouble.routes,
        ...publicRoutes,
        [`POST ${api}/chat/send`]: act('send', () => ({}), ['content']),
        [`POST ${api}/channels/command`]: act('command', () => double.outcome, ['command', 'channel_id']),
        [`DELETE ${api}/channels/100/messages/m_1/users/77`]: act('delete', () => ({})),
      },
    },
  }
  return double
}
