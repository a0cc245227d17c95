// A server with scripted faults: expiring tokens, scripted refresh responses, and counters of received requests.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTokens } from './tokens.ts'

/** One response of the refresh call. Without `status` the call is processed; `delay` and `cut` apply to its response. */
export interface Scripted {
  delay?: number
  status?: number
  headers?: Record<string, string>
  body?: string
  /** End of the response: whole, after its headers, in the middle of its body, or not sent. */
  cut?: 'none' | 'afterHeaders' | 'midBody' | 'hang'
}

export interface Received {
  path: string
  method: string
  query: string
  headers: IncomingMessage['headers']
  body: string
}

export type Upstream = Awaited<ReturnType<typeof startUpstream>>

/** Starts an upstream on a free port of 127.0.0.1. `page` is the harness: HTML and script. */
export async function startUpstream(page: { html: string; script: string }) {
  const state = {
    mode: 'strict' as 'strict' | 'replay',
    /** Next responses of the refresh call; when empty, the call is processed. */
    script: [] as Scripted[],
    /** Responds to every refresh call like this. */
    always: undefined as Scripted | undefined,
    /** Responses that carry CORS headers for other origins. */
    cors: 'all' as 'all' | 'not401',
    /** Refusal of a dead access token. */
    dead: { status: 401, body: { error: { name: 'Unauthorized', msg: '', options: {}, data: {} } } as unknown },
    refreshCalls: 0,
    /** Refresh calls that presented a token other than the current one. */
    reuses: 0,
    logouts: [] as string[],
    received: [] as Received[],
    sends: {} as Record<string, number>,
  }
  const tokens = createTokens(state)

  async function onRefresh(body: string, response: ServerResponse) {
    state.refreshCalls++
    const script = state.script.shift() ?? state.always ?? {}
    let { status, body: text = '' } = script
    if (status === undefined) {
      const pair = tokens.rotate(JSON.parse(body).refresh as string)
      status = pair ? 200 : 400
      text = JSON.stringify(pair ?? { error: { name: 'BadRefresh', msg: 'no', options: {}, data: {} } })
    }
    if (script.delay) await new Promise<void>((resolve) => void setTimeout(resolve, script.delay))
    if (script.cut === 'hang') return
    response.writeHead(status, { 'content-type': 'application/json', ...script.headers })
    if (script.cut === 'afterHeaders') {
      response.flushHeaders()
      setTimeout(() => response.destroy(), 20)
    } else if (script.cut === 'midBody') {
      response.write(text.slice(0, text.length / 2))
      setTimeout(() => response.destroy(), 20)
    } else response.end(text)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://upstream')
      const { headers, method = 'GET' } = request
      if (!pathname.startsWith('/method/')) {
        const isScript = pathname === '/harness.js'
        response.setHeader('cache-control', 'no-store')
        // A sandboxed frame has an origin of its own.
        response.setHeader('access-control-allow-origin', '*')
        return json(response, 200, isScript ? page.script : page.html, isScript ? 'text/javascript' : 'text/html')
      }
      const name = pathname.slice('/method/'.length)
      const body = Buffer.concat(chunks).toString('latin1')
      const entry = { path: pathname, method, query: search, headers, body }
      if (state.cors === 'all' || method === 'OPTIONS' || !tokens.isExpired(headers.authorization)) {
        allowOrigins(response)
      }
      if (method === 'OPTIONS') return void response.writeHead(204).end()
      state.received.push(entry)
      if (name === 'auth/refresh-access') return void onRefresh(body, response)
      state.sends[name] = (state.sends[name] ?? 0) + 1
      if (name === 'auth/logout') {
        state.logouts.push(JSON.parse(body).refresh as string)
        return json(response, 200, { success: true })
      }
      const owner = name === 'always401' ? null : tokens.ownerOf(headers.authorization)
      if (owner === null) return json(response, state.dead.status, state.dead.body)
      answer(name, entry, owner, response)
    })
  })

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    state,
    port,
    url: `http://127.0.0.1:${port}`,
    signIn: tokens.signIn,
    expire: tokens.expire,
    current: tokens.current,
    /** Access tokens that `name` was called with. */
    tokensSent: () => state.received.flatMap(({ headers }) => headers.authorization ?? []),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function json(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': type })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

function allowOrigins(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', 'authorization, content-type')
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
  response.setHeader('access-control-expose-headers', 'retry-after, date')
  response.setHeader('access-control-max-age', '600')
}

/** Answers an authorized operation: some names stand for an error, the others return the owner of the token. */
function answer(name: string, { method, body }: Received, owner: string, response: ServerResponse): void {
  switch (name) {
    case 'forbidden':
      return json(response, 403, { error: { name: 'Forbidden', msg: 'no', options: {}, data: {} } })
    case 'invalid':
      return json(response, 400, { error: { name: 'Validation', msg: 'no', options: {}, data: {} } })
    case 'html400':
      return json(response, 400, '<html>Bad request</html>', 'text/html')
    case 'limited':
      response.setHeader('retry-after', '2')
      return json(response, 429, {})
    case 'broken':
      return json(response, 502, '<html>Bad gateway</html>', 'text/html')
    case 'drop':
      return void response.socket?.destroy()
    case 'upload':
      return json(response, 200, { hash: createHash('sha256').update(body, 'latin1').digest('hex') })
    default:
      return json(response, 200, { owner, method })
  }
}
