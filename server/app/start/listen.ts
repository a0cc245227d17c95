// Ports of the service: plain HTTP, or with a certificate HTTPS beside it, where plain HTTP answers by redirects.
import type { FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { type Certificate, openCertificate } from '#server/core/certificate.ts'
import type { Config } from '#server/core/settings.ts'
import { env, settings, several, anyText, variable, whole, ConfigError } from '#server/core/variables.ts'
import { listenOn } from './inherited-sockets.ts'
import { cannotStart } from './start-error.ts'

/** Settings of HTTPS. */
export const tlsSettings = settings({
  /** Files of the certificate; null: plain HTTP only. */
  tls: several(
    {
      TLS_CERT: variable(
        anyText,
        '',
        'File with the certificate chain for HTTPS and RTMPS (PEM), reloaded when it changes. Empty: plain HTTP, for this machine or behind a proxy. `certificate` orders it',
      ),
      TLS_KEY: variable(anyText, '', 'File with the private key of that certificate (PEM)'),
    },
    ({ TLS_CERT: cert, TLS_KEY: key }) => {
      if ((cert === '') !== (key === ''))
        throw new ConfigError('TLS_CERT and TLS_KEY must be set together: the certificate, and its private key.')
      return cert === '' ? null : { cert, key }
    },
  ),
  httpPort: env(
    'HTTP_PORT',
    whole(0, 65_535),
    '80',
    'With TLS_CERT: port for plain HTTP, which redirects to HTTPS at PORT; 0 takes a free one. Orders of certificates need 80',
  ),
  acmeDirectory: env(
    'ACME_DIRECTORY',
    z.url(),
    'https://acme-v02.api.letsencrypt.org/directory',
    'Directory of the authority that `certificate` orders at (ACME, RFC 8555)',
  ),
})

/** Time for a TLS handshake, milliseconds. */
const handshakeMs = 10_000
/** Pause between two rounds that close idle connections, while the service closes. */
const idleCheckMs = 50
/** Open ports of the service. */
export interface Ports {
  /** Public address, without a path. */
  readonly url: string
  /** Port of plain HTTP. */
  readonly plainPort: number
  /** The certificate; null: plain HTTP only. */
  readonly certificate: Certificate | null
  /** Waits until the connections over TLS have ended, after the server closed. */
  readonly closed: Promise<unknown>
}

/**
 * Opens PORT, and with TLS_CERT also HTTP_PORT. They close with the server. Without a readable certificate the service starts, and
 * refuses each handshake, so that the first certificate can be ordered.
 * @throws StartError for a port that is taken
 */
export async function listen(server: FastifyInstance, config: Config, log: Logger): Promise<Ports> {
  const { host, port, tls, httpPort } = config
  const taken = (name: string, number: number) => cannotStart(`${name} ${number} of HOST ${host} cannot be taken`)
  if (tls === null) {
    const url = await server.listen(listenOn(host, port)).catch(taken('PORT', port))
    return { url, plainPort: portOf(server.server), certificate: null, closed: Promise.resolve() }
  }
  await server.listen(listenOn(host, httpPort)).catch(taken('HTTP_PORT', httpPort))
  const certificate = openCertificate(tls, (text) => log.warn(text), undefined, 'HTTPS')
  const secure = createTlsServer({ handshakeTimeout: handshakeMs, ALPNProtocols: ['http/1.1'], noDelay: true })
  certificate.onLoad(({ pem }) => secure.setSecureContext(pem))
  secure
    .on('tlsClientError', (_, socket) => socket.destroy())
    .on('secureConnection', (socket) => {
      // The HTTP server removes its own listener at an upgrade.
      socket.on('error', () => undefined)
      server.server.emit('connection', socket)
    })
  await new Promise<void>((resolve, reject) => {
    secure.once('error', reject).listen(listenOn(host, port), resolve)
  }).catch(async (error: Error) => {
    certificate.close()
    await server.close()
    taken('PORT', port)(error)
  })
  const closed = Promise.withResolvers<void>()
  server.server.once('close', () => {
    certificate.close()
    // A connection becomes idle when its running request ends.
    const closing = setInterval(() => server.server.closeIdleConnections(), idleCheckMs)
    secure.close(() => {
      clearInterval(closing)
      closed.resolve()
    })
  })
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${portOf(secure)}`
  return { url, plainPort: portOf(server.server), certificate, closed: closed.promise }
}

const portOf = (server: Server | TlsServer): number => (server.address() as AddressInfo).port
