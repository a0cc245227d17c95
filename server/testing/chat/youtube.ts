// Test double of YouTube's live chat (developers.google.com/youtube/v3/live/docs): stream, list, insert, delete, bans.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message to publish. */
export interface YoutubeMessage {
  readonly id?: string
  readonly authorId?: string
  readonly snippet?: Readonly<Record<string, unknown>>
  readonly author?: Readonly<Record<string, unknown>>
}

export interface YoutubeChatDouble {
  readonly base: string
  /** Publishes a message. @returns its id */
  say(text: string, message?: YoutubeMessage): string
  /** Publishes an item as it is. */
  publish(item: unknown): void
  /** Ends the open streams, as the server does now and then. `cut`: in the middle of a text. */
  endStreams(how?: 'cut'): void
  /** Requests: method and path. */
  readonly calls: string[]
  readonly acts: { readonly name: string; readonly query: Record<string, string>; readonly body: unknown }[]
  /** Failure of all calls of the chat: Google's code and its status. */
  failure: { readonly status: number; readonly code: string } | null
  /** False: the stream answers with 404. */
  hasStream: boolean
  /** Bytes per piece of the stream. */
  pieceBytes: number
  readonly tokens: Set<string>
  /** Null: no live broadcast. */
  chatId: string | null
  readonly streams: ReadonlySet<ServerResponse>
  close(): Promise<void>
}

/** A message as YouTube sends it. */
const itemOf = (text: string, { id, authorId, snippet, author }: Required<YoutubeMessage>) => ({
  kind: 'youtube#liveChatMessage',
  id,
  snippet: {
    type: 'textMessageEvent',
    liveChatId: 'chat-1',
    authorChannelId: authorId,
    publishedAt: new Date().toISOString(),
    hasDisplayContent: true,
    displayMessage: text,
    textMessageDetails: { messageText: text },
    ...snippet,
  },
  authorDetails: {
    channelId: authorId,
    displayName: 'Bob',
    profileImageUrl: 'https://yt3.ggpht.com/bob=s88',
    isVerified: false,
    isChatOwner: false,
    isChatSponsor: false,
    isChatModerator: false,
    ...author,
  },
})

/** Answers of the account's channel, which connecting it needs. */
const accountAnswers: Readonly<Record<string, unknown>> = {
  'GET channels': { items: [{ id: 'UC777', snippet: { title: 'Ann' }, statistics: { subscriberCount: '1' } }] },
  'GET liveStreams': {
    items: [
      {
        id: 's',
        snippet: { title: 's' },
        contentDetails: { isReusable: true },
        cdn: { ingestionInfo: { streamName: 'key', ingestionAddress: 'rtmp://a.rtmp.youtube.com/live2' } },
      },
    ],
  },
}

/** Key of the service. */
export const youtubeKey = 'key-1'
/** Answers with the key: uploads of the channel, and its videos. */
const publicAnswers: Readonly<Record<string, (query: URLSearchParams, chatId: string | null) => unknown>> = {
  'GET channels': (query) => ({
    items: [query.get('id'), query.get('forHandle')].some((name) => name === 'UC777' || name === 'ann')
      ? [{ id: 'UC777', contentDetails: { relatedPlaylists: { uploads: 'UU777' } } }]
      : [],
  }),
  'GET playlistItems': (query) => ({
    items:
      query.get('playlistId') === 'UU777' ? ['old', 'video-1'].map((videoId) => ({ contentDetails: { videoId } })) : [],
  }),
  'GET videos': (query, chatId) => ({
    items: (query.get('id') ?? '').split(',').map((id) => ({
      id,
      ...(id !== 'old' && chatId !== null && { liveStreamingDetails: { activeLiveChatId: chatId } }),
    })),
  }),
}

/** Answers that the state of the chat does not change; undefined for other calls. */
const plainAnswer = (
  name: string,
  token: string,
  { query, chatId }: { readonly query: URLSearchParams; readonly chatId: string | null },
): unknown => (token === youtubeKey ? publicAnswers[name]?.(query, chatId) : accountAnswers[name])

/** A failure as Google answers it. */
const failureOf = (status: number, code: string) => ({
  error: { code: status, message: code, errors: [{ message: code, domain: 'youtube', reason: code }] },
})

/** Writes a text in pieces that cut texts and characters. */
function writePieces({ pieceBytes }: YoutubeChatDouble, response: ServerResponse, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) response.write(bytes.subarray(at, at + pieceBytes))
}

/** Starts the double. */
export async function youtubeChatDouble(): Promise<YoutubeChatDouble> {
  const items: unknown[] = []
  const streams = new Map<ServerResponse, { sent: number; isFirst: boolean }>()
  let lastId = 0
  const pageOf = (from: number) => ({
    kind: 'youtube#liveChatMessageListResponse',
    nextPageToken: `page-${items.length}`,
    pollingIntervalMillis: 5_000,
    pageInfo: { totalResults: items.length - from, resultsPerPage: items.length - from },
    items: items.slice(from),
  })
  const flush = (response: ServerResponse) => {
    const stream = streams.get(response)
    if (!stream || (stream.sent === items.length && !stream.isFirst)) return
    writePieces(double, response, `${stream.isFirst ? '[' : ',\n'}${JSON.stringify(pageOf(stream.sent), null, 2)}`)
    Object.assign(stream, { sent: items.length, isFirst: false })
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://double')
      const name = `${request.method} ${pathname.replace(/^(\/www\.googleapis\.com)?\/youtube\/v3\//, '')}`
      const text = Buffer.concat(parts).toString()
      const token =
        request.headers['x-goog-api-key']?.toString() ?? (request.headers.authorization ?? '').replace(/^Bearer /, '')
      answer(response, name, query, text.startsWith('{') ? JSON.parse(text) : {}, token)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

  function answer(response: ServerResponse, name: string, query: URLSearchParams, body: unknown, token: string): void {
    double.calls.push(name)
    const send = (status: number, value?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === undefined ? '' : JSON.stringify(value))
    }
    const fail = (status: number, code: string) => send(status, failureOf(status, code))
    if (name.includes('oauth2') || name.includes('token'))
      return send(200, { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3600, token_type: 'Bearer' })
    if (!double.tokens.has(token)) return fail(401, 'authError')
    if (token === youtubeKey && !name.startsWith('GET ')) return fail(401, 'required')
    const plain = plainAnswer(name, token, { query, chatId: double.chatId })
    if (plain) return send(200, plain)
    if (double.failure) return fail(double.failure.status, double.failure.code)
    if (name === 'GET liveBroadcasts')
      return send(200, {
        items: double.chatId === null ? [] : [{ id: 'video-1', snippet: { title: 'Show', liveChatId: double.chatId } }],
      })
    const from = Number((query.get('pageToken') ?? 'page-0').slice(5))
    if (Number.isNaN(from)) return fail(400, 'invalidPageToken')
    if (name === 'GET liveChat/messages/stream') {
      if (!double.hasStream) return send(404, {})
      response.writeHead(200, { 'content-type': 'application/json' })
      streams.set(response, { sent: from, isFirst: true })
      response.on('close', () => streams.delete(response))
      return flush(response)
    }
    if (name === 'GET liveChat/messages') return send(200, pageOf(from))
    if (!name.startsWith('GET ')) double.acts.push({ name, query: Object.fromEntries(query), body })
    if (name === 'POST liveChat/messages') return send(200, { ...(body as object), id: `sent-${++lastId}` })
    if (name === 'POST liveChat/bans') return send(200, { ...(body as object), id: `ban-${++lastId}` })
    if (name === 'DELETE liveChat/messages' || name === 'DELETE liveChat/bans') return send(204)
    return fail(404, 'notDocumented')
  }

  const double: YoutubeChatDouble = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    acts: [],
    failure: null,
    hasStream: true,
    pieceBytes: 7,
    tokens: new Set(['access-1', youtubeKey]),
    chatId: 'chat-1',
    get streams() {
      return new Set(streams.keys())
    },
    say(text, { id = `yt${++lastId}`, authorId = 'UC5', snippet = {}, author = {} } = {}) {
      double.publish(itemOf(text, { id, authorId, snippet, author }))
      return id
    },
    publish(item) {
      items.push(item)
      for (const response of streams.keys()) flush(response)
    },
    endStreams(how) {
      for (const response of streams.keys()) {
        if (how === 'cut') {
          writePieces(double, response, ',{"items":[{"id":"half')
          response.destroy()
        } else response.end(']')
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
  return double
}
