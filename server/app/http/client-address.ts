// Address of the client of a request that Fastify does not see.
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Reads the client's address as Fastify's `request.ip` does. @param trusted TRUST_PROXY */
export function clientAddress(trusted: string): (request: IncomingMessage) => string {
  if (trusted === '') return ({ socket }) => socket.remoteAddress ?? ''
  const trust = proxyAddr.compile(trusted.split(',').map((one) => one.trim()))
  return (request) => proxyAddr(request, trust)
}
