// A server that misbehaves on command: tokens that die when the test says so, answers of the refresh call from a script,
// and counters of everything it received.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Pair {
  accessToken: string
  refreshToken: string
}

/** One answer of the refresh call. Without `status` the call is processed, and `delay` and `cut` happen to its answer. */
export interface Scripted {
  delay?: number
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Where the answer ends: whole, after its headers, in the middle of its body, or never begun. */
  cut?: 'none' | 'afterHeaders' | 'midBody' | 'hang'
}

interface Family {
  owner: string
  isRevoked: boolean
  generation: number
  pair: Pair
  /** The token before, and when it was used. */
  before: { refreshToken: string; usedAt: number } | null
}

export interface Received {
  path: string
  method: string
  query: string
  headers: IncomingMessage['headers']
  body: string
}

export type Upstream = Awaited<ReturnType<typeof startUpstream>>

const replayMs = 120_000

/** Starts an upstream on a free port of 127.0.0.1. `page` is the harness: HTML and script. */
export async function startUpstream(page: { html: string; script: string }) {
  const access = new Map<string, { family: Family; isDead: boolean }>()
  const refresh = new Map<string, { family: Family }>()
  const families: Family[] = []
  const state = {
    mode: 'strict' as 'strict' | 'replay',
    /** Next answers of the refresh call; when it is empty the call is processed. */
    script: [] as Scripted[],
    /** Answers every refresh call like this. */
    always: undefined as Scripted | undefined,
    /** Which answers carry CORS headers for other origins. */
    cors: 'all' as 'all' | 'not401',
    /** How a dead access token is refused. */
    dead: { status: 401, body: { error: { name: 'Unauthorized', msg: '', options: {}, data: {} } } as unknown },
    refreshCalls: 0,
    /** Refresh calls that presented a token which was not the current one. */
    reuses: 0,
    logouts: [] as string[],
    received: [] as Received[],
    sends: {} as Record<string, number>,
  }
  let tokens = 0

  const mint = (family: Family): Pair => {
    const id = `${family.owner}-${family.generation}-${++tokens}-${Math.random().toString(36).slice(2)}`
    family.pair = { accessToken: `access-${id}`, refreshToken: `refresh-${id}` }
    access.set(family.pair.accessToken, { family, isDead: false })
    refresh.set(family.pair.refreshToken, { family })
    return family.pair
  }

  /** A new session of this person. */
  function signIn(owner = 'ann'): Pair {
    const family: Family = {
      owner,
      isRevoked: false,
      generation: 1,
      pair: { accessToken: '', refreshToken: '' },
      before: null,
    }
    families.push(family)
    return mint(family)
  }

  /** All access tokens die; the refresh tokens live. */
  const expire = () => {
    for (const token of access.values()) token.isDead = true
  }

  function rotate(token: string): Pair | null {
    const family = refresh.get(token)?.family
    if (!family || family.isRevoked) return null
    if (family.pair.refreshToken === token) {
      family.before = { refreshToken: token, usedAt: Date.now() }
      family.generation++
      return mint(family)
    }
    state.reuses++
    const isPrevious = family.before?.refreshToken === token && Date.now() - family.before.usedAt < replayMs
    if (state.mode === 'replay' && isPrevious) return family.pair
    family.isRevoked = true
    return null
  }

  async function onRefresh(body: string, response: ServerResponse) {
    state.refreshCalls++
    const script = state.script.shift() ?? state.always ?? {}
    let { status, body: text = '' } = script
    if (status === undefined) {
      const pair = rotate(JSON.parse(body).refresh as string)
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

  function onOperation(name: string, { method, headers, body }: Received, response: ServerResponse) {
    const known = access.get((headers.authorization ?? '').replace(/^oauth /, ''))
    const isDead = !known || known.isDead || known.family.isRevoked || name === 'always401'
    if (isDead) return json(response, state.dead.status, state.dead.body)
    const owner = known.family.owner
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
      if (state.cors === 'all' || method === 'OPTIONS' || !isRefused(headers.authorization)) {
        response.setHeader('access-control-allow-origin', '*')
        response.setHeader('access-control-allow-headers', 'authorization, content-type')
        response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
        response.setHeader('access-control-expose-headers', 'retry-after, date')
        response.setHeader('access-control-max-age', '600')
      }
      if (method === 'OPTIONS') return void response.writeHead(204).end()
      state.received.push(entry)
      if (name === 'auth/refresh-access') return void onRefresh(body, response)
      state.sends[name] = (state.sends[name] ?? 0) + 1
      if (name === 'auth/logout') {
        state.logouts.push(JSON.parse(body).refresh as string)
        return json(response, 200, { success: true })
      }
      onOperation(name, entry, response)
    })
  })
  const isRefused = (authorization = '') => access.get(authorization.replace(/^oauth /, ''))?.isDead ?? false

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    state,
    port,
    url: `http://127.0.0.1:${port}`,
    signIn,
    expire,
    /** The pair that the server takes for the current one of the last session. */
    current: () => families.at(-1)?.pair,
    /** Which access tokens `name` was called with. */
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
