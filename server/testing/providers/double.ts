// Test double of a platform's API: answers with the examples of the public documentation, and records every request that
// the documentation does not allow. Hosts are path prefixes, as in `PROVIDER_BASES`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as routes receive it. */
export interface DoubleRequest {
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Fields of a form, or of JSON; empty for an image. */
  readonly body: Readonly<Record<string, unknown>>
  readonly token: string
  /** Refresh tokens that were already used. */
  readonly used: Set<unknown>
  /** Aborts when the caller closes the connection. */
  readonly gone: AbortSignal
}

/** One operation of the API. */
export interface DoubleRoute {
  /** Query parameters that the documentation requires. */
  readonly query?: readonly string[]
  /** Body fields that the documentation requires. */
  readonly body?: readonly string[]
  /** Content type of the body. */
  readonly type?: 'json' | 'form' | 'image'
  /** No access token required. */
  readonly open?: true
  /** The body; `DoubleReply` for another status. A promise keeps the caller waiting. */
  readonly answer: (request: DoubleRequest) => unknown
}

/** Response with a status other than 200. */
export class DoubleReply {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

/** A platform: maps `GET host/path` to its operation. */
export interface DoublePlatform {
  readonly routes: Readonly<Record<string, DoubleRoute>>
  /** Extracts the access token of a request as the platform sends it; adds other errors of the request to `problems`. */
  readonly tokenOf: (request: Omit<DoubleRequest, 'token' | 'used' | 'gone'>, problems: string[]) => string
  /** The platform's response to an invalid token. */
  readonly unauthorized: DoubleReply
}

export interface PlatformDouble {
  readonly base: string
  /** The HTTP server, for doubles that also speak WebSocket. */
  readonly server: Server
  /** Answers a request that another server received. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests that the documentation does not allow. */
  readonly problems: string[]
  /** `GET host/path` of all requests. */
  readonly calls: string[]
  /** Valid access tokens; `*` accepts any. */
  readonly tokens: Set<string>
  /** Used refresh tokens; each is valid once. */
  readonly used: Set<unknown>
  /** @throws after a request that the documentation does not allow */
  readonly check: () => void
  readonly close: () => Promise<void>
}

/** Starts a server for several platforms. */
export async function platformDouble(platforms: readonly DoublePlatform[]): Promise<PlatformDouble> {
  const handle = (request: IncomingMessage, response: ServerResponse) => void serve(request, response)
  const server = createServer(handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const double: PlatformDouble = {
    base,
    server,
    handle,
    problems: [],
    calls: [],
    tokens: new Set(),
    used: new Set(),
    check: () => {
      if (double.problems.length > 0) throw new Error(double.problems.join('\n'))
    },
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', base)
    const name = `${request.method} ${url.pathname.slice(1)}`
    const text = await textOf(request)
    double.calls.push(name)
    const platform = platforms.find(({ routes }) => name in routes)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const asked = { name, incoming: request, url, text, gone: gone.signal }
    const reply = platform ? await answerOf(platform, asked) : missing(double, name)
    response.statusCode = reply.status
    response.setHeader('content-type', 'application/json')
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body))
  }

  interface Asked {
    readonly name: string
    readonly incoming: IncomingMessage
    readonly url: URL
    readonly text: string
    readonly gone: AbortSignal
  }

  async function answerOf(platform: DoublePlatform, { name, incoming, url, text, gone }: Asked) {
    const route = platform.routes[name] as DoubleRoute
    const type = typeOf(incoming.headers['content-type'])
    const body = text === '' ? {} : readers[type](text)
    const plain = { query: url.searchParams, headers: incoming.headers, body }
    const note = (problem: string) => double.problems.push(`${name}: ${problem}`)
    if (text !== '' && (route.type ?? 'json') !== type) note('the body has another type')
    for (const field of route.query ?? []) if (!url.searchParams.has(field)) note(`no ${field} in the query`)
    for (const field of route.body ?? []) if (!(field in body)) note(`no ${field} in the body`)
    const problems: string[] = []
    const token = route.open ? '' : platform.tokenOf(plain, problems)
    problems.forEach(note)
    if (!route.open && !double.tokens.has(token) && !double.tokens.has('*')) return platform.unauthorized
    const answer = await route.answer({ ...plain, token, used: double.used, gone })
    return answer instanceof DoubleReply ? answer : new DoubleReply(200, answer)
  }
  return double
}

type BodyType = NonNullable<DoubleRoute['type']>

const typeOf = (header = ''): BodyType =>
  header.startsWith('application/x-www-form-urlencoded') ? 'form' : header.startsWith('image/') ? 'image' : 'json'

const readers: Readonly<Record<BodyType, (text: string) => Readonly<Record<string, unknown>>>> = {
  form: (text) => Object.fromEntries(new URLSearchParams(text)),
  json: (text) => JSON.parse(text) as Readonly<Record<string, unknown>>,
  image: () => ({}),
}

function missing(double: PlatformDouble, name: string): DoubleReply {
  double.problems.push(`${name}: the documentation knows no such operation`)
  return new DoubleReply(404, {})
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** `Authorization: <word> <token>`. */
export const tokenAfter =
  (word: string): DoublePlatform['tokenOf'] =>
  ({ headers }, problems) => {
    const [said, token = ''] = (headers.authorization ?? '').split(' ')
    if (said !== word) problems.push(`Authorization begins with ${said}, not ${word}`)
    return token
  }
