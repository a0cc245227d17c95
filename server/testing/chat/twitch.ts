// Server of the Twitch doubles: chat over WebSocket, EventSub and Helix at one address. Paths are those of Twurple's test
// mode (`/mock/…`, `/ws`) and of `PROVIDER_BASES` (`/api.twitch.tv/helix/…`).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { type EventSubDouble, eventSubDouble } from './eventsub.ts'
import { type IrcDouble, ircDouble } from './irc.ts'

export interface TwitchChatDouble {
  readonly base: string
  readonly port: number
  readonly irc: IrcDouble
  readonly eventSub: EventSubDouble
  /** Calls about badges. */
  badgeCalls: number
  /** Number of token renewals. */
  renewals: number
  close(): Promise<void>
}

/** Token of the application. */
const appToken = 'app-token'
const badge = (
  set_id: string,
  id: string,
  title: string,
  url = `https://static-cdn.jtvnw.net/badges/v1/${set_id}-${id}/2`,
) => ({
  set_id,
  versions: [{ id, title, description: title, image_url_1x: url, image_url_2x: url, image_url_4x: url }],
})

/** Answers about badges, and about users by login. */
function badgeAnswer(name: string, query: URLSearchParams): unknown {
  if (name === 'GET chat/badges/global') {
    const elsewhere = badge('vip', '1', 'VIP', 'https://example.com/vip.png')
    return { data: [badge('moderator', '1', 'Moderator'), badge('subscriber', '12', 'Subscriber'), elsewhere] }
  }
  if (name === 'GET chat/badges' && query.get('broadcaster_id') === '777')
    return { data: [badge('subscriber', '12', '1-Year Subscriber')] }
  return name === 'GET users' && query.get('login') === 'ann' ? { data: [{ id: '777', login: 'ann' }] } : undefined
}

/** Starts the doubles. */
export async function twitchChatDouble(): Promise<TwitchChatDouble> {
  const irc = ircDouble()
  const eventSub = eventSubDouble()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const {
        status,
        body,
        headers = {},
      } = answer(
        request.method ?? '',
        request.url ?? '/',
        Buffer.concat(parts).toString(),
        request.headers.authorization ?? '',
      )
      response.writeHead(status, { 'content-type': 'application/json', ...rateHeaders(), ...headers })
      response.end(body === undefined ? '' : JSON.stringify(body))
    })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    if (request.url?.startsWith('/ws'))
      eventSub.accept(Object.assign(socket, { origin: double.base.replace('http', 'ws') }))
    else irc.accept(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const double: TwitchChatDouble = {
    base: `http://127.0.0.1:${port}`,
    port,
    irc,
    eventSub,
    renewals: 0,
    badgeCalls: 0,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }

  function answer(method: string, url: string, text: string, authorization: string) {
    const { pathname, searchParams: query } = new URL(url, double.base)
    if (pathname.includes('oauth2/token')) {
      if (text.includes('client_credentials'))
        return { status: 200, body: { access_token: appToken, token_type: 'bearer' } }
      double.renewals++
      const next = `access-${double.renewals + 1}`
      // A revoked permission refuses the refresh token as well.
      if (eventSub.tokens.size === 0) return { status: 400, body: { status: 400, message: 'Invalid refresh token' } }
      eventSub.tokens.add(next)
      return {
        status: 200,
        body: {
          access_token: next,
          refresh_token: `refresh-${double.renewals + 1}`,
          expires_in: 14_000,
          scope: eventSub.scopes,
          token_type: 'bearer',
        },
      }
    }
    const path = pathname.replace(/^\/(mock\/|api\.twitch\.tv\/helix\/)?/, '')
    const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
    const token = authorization.replace(/^Bearer /, '')
    const badges = badgeAnswer(`${method} ${path}`, query)
    if (badges && (token === appToken || eventSub.tokens.has(token))) {
      double.badgeCalls++
      return { status: 200, body: badges }
    }
    return (
      eventSub.helix({ name: `${method} ${path}`, query, body, token }) ?? {
        status: 404,
        body: { status: 404, message: `Not documented: ${method} ${path}` },
      }
    )
  }
  return double
}

/** Rate limit that Helix reports with each answer (dev.twitch.tv/docs/api/guide, rate limits). */
const rateHeaders = () => ({
  'ratelimit-limit': '800',
  'ratelimit-remaining': '799',
  'ratelimit-reset': String(Math.ceil(Date.now() / 1000)),
})
