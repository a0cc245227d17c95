// Opens the socket to a destination: plain or TLS, within a time, and never to an address that is not allowed.
import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Target } from './publisher.ts'

/** What went wrong before RTMP began. */
export type DialFailure = 'forbidden' | 'dns' | 'refused' | 'unreachable' | 'tls' | 'timeout'

export interface DialOptions {
  /** How names become addresses; the place to refuse addresses. */
  readonly lookup?: LookupFunction
  readonly timeoutMs: number
  /** Takes certificates that nobody vouches for. Default no. */
  readonly anyCertificate?: boolean
}

/** Opens a socket. @returns what gives up */
export function dial(
  target: Pick<Target, 'protocol' | 'host' | 'port'>,
  options: DialOptions,
  handlers: { onOpen(socket: Socket): void; onFailure(failure: DialFailure): void },
): () => void {
  const { lookup, timeoutMs, anyCertificate = false } = options
  const where = { host: target.host, port: target.port, ...(lookup ? { lookup } : {}) }
  const secure = target.protocol === 'rtmps'
  const socket = secure
    ? connectTls({ ...where, ...servername(target.host), rejectUnauthorized: !anyCertificate })
    : connectPlain(where)
  let over = false
  const end = (settle: () => void) => {
    if (over) return
    over = true
    clearTimeout(timer)
    settle()
  }
  const fail = (failure: DialFailure) => {
    socket.destroy()
    handlers.onFailure(failure)
  }
  const timer = setTimeout(() => end(() => fail('timeout')), timeoutMs)
  socket.on('error', (error: NodeJS.ErrnoException) => end(() => fail(failureOf(error, secure))))
  socket.on('close', () => end(() => fail('refused')))
  socket.once(secure ? 'secureConnect' : 'connect', () => end(() => handlers.onOpen(socket)))
  return () => end(() => socket.destroy())
}

/** TLS wants a name there; an address is none. */
const servername = (host: string) => (/^[\d.]+$|:/.test(host) ? {} : { servername: host })

/** Errors of the system by what people can do about them. */
const failures: Readonly<Record<string, DialFailure>> = {
  EFORBIDDEN: 'forbidden',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EPIPE: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
}

function failureOf({ code = '' }: NodeJS.ErrnoException, secure: boolean): DialFailure {
  return failures[code] ?? (secure ? 'tls' : 'unreachable')
}
