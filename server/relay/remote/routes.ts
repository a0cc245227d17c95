// Ways of ffmpeg to the address of a remote source. ffmpeg resolves names and follows redirects by itself, so it connects to
// this process, which connects to public addresses only.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { createServer, isIP, type Server, type Socket } from 'node:net'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isPublicAddress } from '#server/core/public-address.ts'
import { ForbiddenHostError, openSocket, resolvePublic } from '#server/domain/channels/destinations.ts'

export interface RouteOptions {
  /** Addresses on this machine and in private networks are allowed. */
  readonly allowPrivateDestinations: boolean
}

/** A way to an address. */
export interface Route {
  /** Address for ffmpeg. */
  readonly url: string
  /** Options of the input, by their names in ffmpeg. */
  readonly options: Readonly<Record<string, string>>
  /** Protocols that ffmpeg may use. */
  readonly protocols: string
  readonly env: Readonly<Record<string, string>>
  /** Media arrives faster than it is played: ffmpeg waits by its timestamps. */
  readonly isFile: boolean
  /** Returns why the last connection failed; empty without a failure, and for SRT and RTSP, whose reason ffmpeg names. */
  failure(): string
  close(): void
}

/** Timeout of reads, microseconds. */
const readTimeout = '15000000'
const ports: Readonly<Record<string, number>> = { 'rtmp:': 1935, 'rtmps:': 443 }

/**
 * Opens a way to an address.
 * @throws ForbiddenHostError, UnknownHostError
 */
export async function openRoute(address: string, options: RouteOptions): Promise<Route> {
  const url = new URL(address)
  const common = { env: {}, isFile: false, failure: () => '', close: () => undefined }
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    const proxy = await openProxy(options)
    return {
      url: address,
      options: { rw_timeout: readTimeout },
      protocols: 'pipe,http,https,httpproxy,tls,tcp,crypto',
      env: { http_proxy: `http://127.0.0.1:${proxy.port}` },
      isFile: true,
      failure: proxy.failure,
      close: proxy.close,
    }
  }
  if (url.protocol === 'srt:') {
    url.searchParams.set('mode', 'caller')
    url.hostname = await numericHost(url.hostname, options)
    return { ...common, url: url.href, options: {}, protocols: 'pipe,srt,udp' }
  }
  if (url.protocol === 'rtsp:')
    return { ...common, url: address, options: { rtsp_transport: 'tcp' }, protocols: 'pipe,rtsp,rtp,tcp' }
  const port = url.port === '' ? (ports[url.protocol] ?? 0) : Number(url.port)
  const target = { protocol: url.protocol === 'rtmps:' ? 'rtmps' : 'rtmp', host: url.hostname, port } as const
  const tunnel = await openTunnel(() => openSocket(target, options))
  const app = url.pathname.split('/').slice(1, -1).join('/')
  return {
    ...common,
    url: `rtmp://127.0.0.1:${tunnel.port}${url.pathname}${url.search}`,
    options: { rtmp_tcurl: `${url.protocol}//${url.host}/${app}`, rw_timeout: readTimeout },
    protocols: 'pipe,rtmp,tcp',
    failure: tunnel.failure,
    close: tunnel.close,
  }
}

/** Returns an address in digits, which ffmpeg does not resolve again. @throws ForbiddenHostError, UnknownHostError */
async function numericHost(host: string, { allowPrivateDestinations }: RouteOptions): Promise<string> {
  const name = host.replace(/^\[|\]$/g, '')
  if (allowPrivateDestinations) return host === name ? (await lookup(name)).address : host
  if (isIP(name) === 0) return (await resolvePublic(name))[0]?.address ?? ''
  if (!isPublicAddress(name)) throw new ForbiddenHostError()
  return host
}

/** Notes a failure of a connection; empty: it is open. */
type Note = (failure: string) => void

interface LocalPort {
  readonly port: number
  failure(): string
  close(): void
}

/** Forwards connections to a port of this process over a socket. */
async function openTunnel(open: () => Socket): Promise<LocalPort> {
  const { note, failure } = lastFailure()
  return listen(
    createServer((inner) => join(inner, open, note)),
    failure,
  )
}

/** HTTP proxy for ffmpeg, with requests for other schemes by CONNECT. */
async function openProxy(options: RouteOptions): Promise<LocalPort> {
  const { note, failure } = lastFailure()
  const server = createHttpServer((request, response) => forward(request, response, options, note))
  server.on('connect', ({ url = '' }: IncomingMessage, inner: Socket) => {
    const { hostname: host, port } = URL.parse(`tcp://${url}`) ?? { hostname: '', port: '' }
    const target = { protocol: 'rtmp', host: host.replace(/^\[|\]$/g, ''), port: Number(port) } as const
    join(inner, () => openSocket(target, options), note, 'HTTP/1.1 200 Connected\r\n\r\n')
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  return listen(server, failure)
}

/** Headers of an answer that ffmpeg reads. A server may send any others, which Node refuses to send on. */
const forwarded = new Set([
  'accept-ranges',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'location',
  'set-cookie',
])

/** Sends an answer on. @throws for a status that is none */
function sendOn(answer: IncomingMessage, response: ServerResponse): void {
  const headers = Object.entries(answer.headers).filter(([name]) => forwarded.has(name))
  response.writeHead(answer.statusCode ?? 0, Object.fromEntries(headers))
  answer.pipe(response)
}

/** Forwards a request to the server of its absolute URL. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { allowPrivateDestinations }: RouteOptions,
  note: Note,
): void {
  const url = URL.parse(request.url ?? '')
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const refuse = () => void (response.headersSent ? response.destroy() : response.writeHead(502).end())
  const fail = (error: unknown) => {
    note((error as Error).message)
    refuse()
  }
  response.on('error', () => undefined)
  if (url?.protocol !== 'http:' || (request.method !== 'GET' && request.method !== 'HEAD')) return refuse()
  const open = () => openSocket({ protocol: 'rtmp', host, port: Number(url.port || 80) }, { allowPrivateDestinations })
  try {
    const { 'proxy-authorization': _none, ...headers } = request.headers
    const outer = requestHttp(url, { method: request.method, headers, createConnection: open }, (answer) => {
      note('')
      answer.on('error', refuse)
      try {
        sendOn(answer, response)
      } catch (error) {
        fail(error)
        outer.destroy()
      }
    })
    outer.on('error', fail)
    // A server that wants another protocol.
    outer.on('upgrade', (_answer, socket: Socket) => {
      socket.destroy()
      refuse()
    })
    response.on('close', () => outer.destroy())
    outer.end()
  } catch (error) {
    fail(error)
  }
}

/** Joins two connections: the end of one ends the other. @param greeting for the inner one when the outer one is open */
function join(inner: Socket, open: () => Socket, note: Note, greeting = ''): void {
  inner.on('error', () => undefined)
  let outer: Socket
  try {
    outer = open()
  } catch (error) {
    note((error as Error).message)
    inner.destroy()
    return
  }
  outer.on('error', ({ message }) => note(message))
  outer.once('connect', () => {
    note('')
    if (greeting !== '') inner.write(greeting)
  })
  outer.on('close', () => inner.destroy())
  inner.on('close', () => outer.destroy())
  outer.pipe(inner)
  inner.pipe(outer)
}

/** Keeps the last failure. */
function lastFailure() {
  let last = ''
  return { note: (failure: string) => void (last = failure), failure: () => last }
}

async function listen(server: Server, failure: () => string): Promise<LocalPort> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    failure,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
