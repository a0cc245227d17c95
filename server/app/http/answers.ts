// Common parts of responses: headers, error format, metrics, log.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import { failureOf, languageOf } from '#server/core/failures.ts'
import { hangUp, isGone } from './hang-up.ts'

/** Headers of API answers; pages set their policy on top. */
const common = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Any dashboard may call, none with cookies. On every answer, or a browser would take a refusal for a broken network.
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Retry-After, Date, X-Request-Id, RateLimit, RateLimit-Policy, Location, Tus-Resumable, Upload-Length, Upload-Offset',
}

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, X-API-KEY, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Ticket',
  'access-control-max-age': '86400',
}

/** Sets the headers, answers preflights, and gives refusals their shape. */
export function shapeAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isGone(request.socket)) {
      reply.hijack()
      return void request.socket.destroy()
    }
    reply.headers(common)
    if (saysBodyHasNone(request)) delete request.raw.headers['content-type']
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done()
    reply.code(204).headers(preflight).send()
  })
  app.setErrorHandler(refuse)
}

/** A request without a body is no stream here (`optimizeEmptyRequests`): its end event never fires. */
const saysBodyHasNone = ({ headers }: FastifyRequest): boolean =>
  headers['content-type'] !== undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/** The one way out for everything that is thrown. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body, log } = failureOf(error, request.id, languageOf(request))
  if (log !== null) request.log.error({ err: error, id: request.id, operation: operationOf(request) }, log)
  return reply
    .code(status)
    .headers({ ...headers, 'x-request-id': request.id })
    .send(body)
}

/** Refusals of the HTTP parser itself, before there is a request. */
export function refuseSocket(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  // Browsers open connections in advance. What ends for want of a request must not look like an answer to the next one:
  // to a 408 they send it again.
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (late && socket.bytesRead === 0) return void socket.destroy()
  const [statusCode, status] = late ? [408, 'Request Timeout'] : [400, 'Bad Request']
  const { body } = failureOf({ statusCode } satisfies Partial<FastifyError>, '', 'en')
  const text = JSON.stringify(body)
  const head = [`HTTP/1.1 ${statusCode} ${status}`, 'content-type: application/json', `content-length: ${text.length}`]
  hangUp(socket, `${head.join('\r\n')}\r\nconnection: close\r\n\r\n${text}`)
}

/** Counts and times answers by operation, and logs them without anything that a caller wrote. */
export function observeAnswers(app: FastifyInstance): Registry {
  const registry = new Registry()
  const labelNames = ['operation', 'status'] as const
  const registers = [registry]
  const answers = new Counter({ name: 'relaydeck_http_answers_total', help: 'Answers', labelNames, registers })
  const seconds = new Histogram({
    name: 'relaydeck_http_answer_seconds',
    help: 'Time to answer',
    labelNames: ['operation'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2],
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(request)
    const { statusCode: status, elapsedTime: ms } = reply
    answers.inc({ operation, status })
    seconds.observe({ operation }, ms / 1000)
    request.log.debug({ id: request.id, operation, method: request.method, status, ms }, 'Answered')
    done()
  })
  return registry
}

const operationOf = (request: FastifyRequest): string => request.routeOptions.config?.operation ?? 'other'
