// Plain HTTP beside HTTPS: redirects, and the few answers without encryption.
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/core/settings.ts'

/** Paths that plain HTTP serves: orders of certificates begin before HTTPS works, and balancers do not follow redirects. */
const plainPaths = /^\/(?:\.well-known\/acme-challenge\/[^/]+|healthz|readyz)$/
/** Paths that plain HTTP serves to this machine: its relay and its Prometheus. */
const localPaths = /^\/(?:relay(?:\/|$)|metrics$)/
const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Redirects plain HTTP to HTTPS. A proxy of TRUST_PROXY tells the protocol of its client. */
export function redirectPlain(server: FastifyInstance, { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): void {
  server.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (request.protocol === 'https' || plainPaths.test(path)) return done()
    if (localPaths.test(path) && isDirect(request.raw)) return done()
    const host = port === 443 ? request.hostname : `${request.hostname}:${port}`
    reply.redirect(`${publicUrl ?? `https://${host}`}${request.url}`, 308)
  })
}

/** Returns whether a WebSocket may open: over TLS, through a proxy, or from this machine, whose relay uses plain HTTP. */
export const mayUpgrade =
  ({ tls, trustProxy }: Pick<Config, 'tls' | 'trustProxy'>) =>
  (request: IncomingMessage): boolean =>
    tls === null || trustProxy !== '' || request.socket instanceof TLSSocket || isDirect(request)

/** Returns whether a request comes from this machine, and from no proxy on it. */
const isDirect = ({ headers, socket }: IncomingMessage): boolean =>
  loopback.has(socket.remoteAddress ?? '') &&
  ['forwarded', 'x-forwarded-for', 'via'].every((name) => headers[name] === undefined)
