// The web server as it serves everything: its limits, what it logs, what it reads.
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { refuse, refuseSocket } from './answers.ts'
import type { Config } from '#server/core/settings.ts'
import { redirectPlain } from './plain-http.ts'

const bodyBytesMax = 64 * 1024
/** Timeouts of headers and of whole requests, and the interval of the check, milliseconds. */
const usual = { headersMs: 10_000, requestMs: 30_000, checkMs: 2_000 }

/** A child logger per request costs more than most requests: log calls pass the request id. */
const childless = (log: Logger): Logger =>
  Object.assign(Object.create(log) as Logger, {
    child(this: Logger) {
      return this
    },
  })

const prefix = Date.now().toString(36)
let count = 0

/** @throws Error always: schemas of routes are the contract's */
const noSchemas = (): never => {
  throw new Error('Routes have no schemas of their own')
}

/** Makes the server, without a route. */
export function createServer(config: Config, log: Logger, timing = usual): FastifyInstance {
  const server = Fastify({
    loggerInstance: childless(log),
    // One line per call is ours to write (`observeAnswers`).
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `${prefix}-${count++}`,
    // A request without a body is no stream, which most are: its end takes longer than its beginning.
    http: {
      optimizeEmptyRequests: true,
      headersTimeout: timing.headersMs,
      connectionsCheckingInterval: timing.checkMs,
    },
    trustProxy: config.trustProxy === '' ? false : config.trustProxy,
    // The contract reads and writes; without these the server would load a compiler of schemas for each.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: bodyBytesMax,
    requestTimeout: timing.requestMs,
    connectionTimeout: 60_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: refuse,
    clientErrorHandler: refuseSocket,
  })
  // JSON and nothing else; keys that could reach a prototype are dropped.
  server.removeAllContentTypeParsers()
  const parse = server.getDefaultJsonParser('remove', 'remove')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else void parse(request, text as string, done)
  })
  closeUnused(server as unknown as FastifyInstance)
  if (config.tls !== null) redirectPlain(server as unknown as FastifyInstance, config)
  return server as unknown as FastifyInstance
}

/** Time that a connection without a request has to send one, while the server closes: a client may just have connected. */
const lastRequestMs = 200

/** Closes connections without a request when the server closes. Node counts them as active, for `connectionTimeout`. */
function closeUnused(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  let isClosing = false
  // A busy process reads what has arrived before it closes the connection.
  const destroy = (socket: Socket) => setImmediate(() => unused.has(socket) && socket.destroy())
  const closeSoon = (socket: Socket) => void setTimeout(destroy, lastRequestMs, socket).unref()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
    if (isClosing) closeSoon(socket)
  })
  for (const event of ['request', 'upgrade'] as const)
    app.server.on(event, ({ socket }: { readonly socket: Socket }) => unused.delete(socket))
  app.addHook('preClose', (done) => {
    isClosing = true
    unused.forEach(closeSoon)
    done()
  })
}
