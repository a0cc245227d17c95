// Opens the socket to a destination: plain or TLS, with a timeout. Rejects forbidden addresses.
import type { RtmpTarget } from '#contract/relay/desired-state.ts'
import type { DestinationReason } from '#contract/relay/reports.ts'
import type { Socket } from 'node:net'
import { openSocket } from '#server/domain/channels/destinations.ts'

/** Failures before the RTMP handshake. */
export type DialFailure = Extract<
  DestinationReason,
  'forbidden' | 'dns' | 'refused' | 'unreachable' | 'tls' | 'timeout'
>

export interface DialOptions {
  /** Allows destinations on this machine and in private networks. */
  readonly allowPrivateDestinations: boolean
  readonly timeoutMs: number
}

/** Opens a socket. @returns a function that cancels it */
export function dial(
  target: Pick<RtmpTarget, 'protocol' | 'host' | 'port'>,
  options: DialOptions,
  handlers: { onOpen(socket: Socket): void; onFailure(failure: DialFailure): void },
): () => void {
  const secure = target.protocol === 'rtmps'
  let socket: Socket
  try {
    socket = openSocket(target, options)
  } catch {
    // Numeric addresses are checked before the socket opens.
    const soon = setTimeout(() => handlers.onFailure('forbidden'))
    return () => clearTimeout(soon)
  }
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
  const timer = setTimeout(() => end(() => fail('timeout')), options.timeoutMs)
  socket.on('error', (error: NodeJS.ErrnoException) => end(() => fail(failureOf(error, secure))))
  socket.on('close', () => end(() => fail('refused')))
  socket.once(secure ? 'secureConnect' : 'connect', () => end(() => handlers.onOpen(socket)))
  return () => end(() => socket.destroy())
}

/** Failures by system error code. */
const failures: Readonly<Record<string, DialFailure>> = {
  EFORBIDDENHOST: 'forbidden',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EUNKNOWNHOST: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EPIPE: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
}

/** Returns the failure for an error of a socket or of DNS. @param secure other errors are those of TLS */
export function failureOf({ code = '' }: NodeJS.ErrnoException, secure = false): DialFailure {
  return failures[code] ?? (secure ? 'tls' : 'unreachable')
}
