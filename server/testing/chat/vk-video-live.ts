// Test double of the chat of VK Video Live: DevAPI (dev.live.vkvideo.ru/docs/method/chat) and its Centrifugo, of which it
// speaks connect, subscribe, publications and pings in JSON (centrifugal.dev/docs/transports/client_protocol).
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { type DoublePlatform, DoubleReply, tokenAfter } from '#server/testing/providers/double.ts'

const channelName = 'api-channel-chat:42'
const api = 'apidev.live.vkvideo.ru/v1'

export interface VkVideoLiveChat {
  readonly platform: DoublePlatform
  /** Accepts WebSockets on the server of the double. */
  listen(server: Server): void
  /** Writes a message as a user of the platform. @returns it */
  say(
    text: string,
    more?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> & { readonly id: number }
  /** Publishes any data in the channel. */
  publish(data: unknown): void
  /** Sends a frame to all connections as it is. */
  raw(frame: string): void
  /** Closes all connections. @param code of the WebSocket */
  drop(code?: number): void
  delete(id: number): void
  /** Refuses the next send with a code of the documentation. */
  refuse(status: number, error: string): void
  /** False: the channel is not live. */
  isLive: boolean
  /** All messages, oldest first. */
  readonly history: Readonly<Record<string, unknown>>[]
  readonly subscribed: number
  close(): void
}

const bob = {
  id: 7,
  nick: 'Bob',
  avatar_url: '',
  nick_color: 2,
  is_owner: false,
  is_moderator: false,
  badges: [],
  roles: [],
}
/** The connected account: user 5, as `current_user` of the platform double. */
export const vkVideoLiveAnn = { ...bob, id: 5, nick: 'Ann', is_owner: true }

/** Creates the double. */
export function vkVideoLiveChat(): VkVideoLiveChat {
  const sockets = new Set<WebSocket>()
  const subscribers = new Set<WebSocket>()
  const refusals: DoubleReply[] = []
  const history: Readonly<Record<string, unknown>>[] = []
  let wss: WebSocketServer | null = null
  let [offset, nextId] = [0, 1000]

  const publish = (data: unknown) => {
    offset++
    for (const socket of subscribers) {
      socket.send(JSON.stringify({ push: { channel: channelName, pub: { data, offset } } }))
    }
  }
  function say(text: string, more: Readonly<Record<string, unknown>> = {}) {
    const parts = [{ text: { content: text } }, { text: { content: '\n' } }]
    const message = { id: nextId++, created_at: 1_772_960_400, is_private: false, author: bob, parts, ...more }
    history.push(message)
    publish({ type: 'channel_chat_message_send', data: { chat_message: message } })
    return message
  }
  function accept(socket: WebSocket): void {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => (sockets.delete(socket), subscribers.delete(socket)))
    socket.on('message', (data: Buffer) => {
      for (const line of data.toString().split('\n')) if (line.trim() !== '') obey(socket, JSON.parse(line) as Command)
    })
  }
  function obey(socket: WebSocket, { id, connect, subscribe }: Command): void {
    const reply = (body: object) => socket.send(JSON.stringify({ id, ...body }))
    if (connect) {
      if (connect.token !== 'socket-token') return reply({ error: { code: 109, message: 'token expired' } })
      return reply({ connect: { client: randomUUID(), version: '4.0.0', ping: 25, pong: true } })
    }
    if (!subscribe) return
    if (subscribe.channel !== channelName) return reply({ error: { code: 102, message: 'unknown channel' } })
    subscribers.add(socket)
    reply({ subscribe: {} })
  }

  const double: VkVideoLiveChat = {
    history,
    isLive: true,
    say,
    publish,
    raw: (frame) => sockets.forEach((socket) => socket.send(frame)),
    drop: (code = 3001) => sockets.forEach((socket) => socket.close(code)),
    delete: (id) =>
      publish({ type: 'channel_chat_message_delete', data: { chat_message: { id }, user: { id: 5, nick: 'Ann' } } }),
    refuse: (status, error) => refusals.push(new DoubleReply(status, { error, error_description: error })),
    get subscribed() {
      return subscribers.size
    },
    listen(server) {
      wss = new WebSocketServer({ server, path: '/pubsub-dev.live.vkvideo.ru/connection/websocket' })
      wss.on('connection', accept)
    },
    close() {
      for (const socket of sockets) socket.terminate()
      wss?.close()
    },
    platform: {
      // Of the account, or of the application.
      tokenOf: (request, problems) =>
        request.headers.authorization === `Basic ${Buffer.from('vkvl-id:vkvl-secret').toString('base64')}`
          ? 'application'
          : tokenAfter('Bearer')(request, problems),
      unauthorized: new DoubleReply(401, { error: 'unauthorized', error_description: 'Not authorized' }),
      routes: {
        [`GET ${api}/websocket/token`]: { answer: () => ({ data: { token: 'socket-token' } }) },
        [`GET ${api}/channel`]: {
          query: ['channel_url'],
          answer({ query }) {
            if (query.get('channel_url') !== 'ann') return new DoubleReply(404, { error: 'not_found' })
            const channel = { id: 42, url: 'ann', web_socket_channels: { chat: channelName } }
            return { data: { channel, stream: double.isLive ? { id: 's-1', counters: { viewers: 3 } } : null } }
          },
        },
        [`GET ${api}/chat/messages`]: {
          query: ['channel_url', 'limit'],
          answer: ({ query }) => ({
            data: { chat_messages: history.slice(-Math.min(200, Number(query.get('limit')))) },
          }),
        },
        [`POST ${api}/chat/message/send`]: {
          query: ['channel_url', 'stream_id'],
          body: ['parts'],
          answer({ body, token }) {
            const refusal = refusals.shift()
            if (refusal) return refusal
            if (token === 'application') return new DoubleReply(403, { error: 'forbidden' })
            const [part] = body['parts'] as { text: { content: string } }[]
            say(part?.text.content ?? '', { author: vkVideoLiveAnn })
            return {}
          },
        },
      },
    },
  }
  return double
}

interface Command {
  readonly id?: number
  readonly connect?: { readonly token?: string }
  readonly subscribe?: { readonly channel: string }
}
