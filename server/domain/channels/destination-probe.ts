// Tests a destination: TCP dial, TLS, handshake, reason.
import { createSocket } from 'node:dgram'
import { isIP, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { Settings } from '#server/core/settings.ts'
import { type Destination, openSocket, resolveHost } from './destinations.ts'

/** Result of a connection test. */
export type ProbeReason =
  | 'ok'
  | 'dns_failed'
  | 'forbidden_address'
  | 'refused'
  | 'unreachable'
  | 'timed_out'
  | 'closed'
  | 'tls_failed'
  | 'wrong_protocol'

export interface Probe {
  readonly reason: ProbeReason
  /** Milliseconds until the connection was open; null when it never was. */
  readonly latency: number | null
}

type DestinationSettings = Pick<Settings, 'allowPrivateDestinations'>

const deadlineMs = 5000
/** RTMP greetings: a version, then two blocks of this size each way (RTMP 1.0, 5.2). */
const blockBytes = 1536

const reasons: Readonly<Record<string, ProbeReason>> = {
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EUNKNOWNHOST: 'dns_failed',
  EFORBIDDENHOST: 'forbidden_address',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  ETIMEDOUT: 'timed_out',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
}
const reasonOf = (error: unknown, otherwise: ProbeReason): ProbeReason =>
  reasons[String((error as { code?: unknown }).code)] ?? otherwise

/** Tests a destination within five seconds, or twice that over SRT where DNS is slow. Never throws. */
export const probe = (destination: Destination, allowed: DestinationSettings, withinMs = deadlineMs): Promise<Probe> =>
  destination.protocol === 'srt' ? probeSrt(destination, allowed, withinMs) : probeRtmp(destination, allowed, withinMs)

function probeRtmp(destination: Destination, allowed: DestinationSettings, withinMs: number): Promise<Probe> {
  const since = performance.now()
  let socket: Socket
  try {
    socket = openSocket(destination, allowed)
  } catch (error) {
    return Promise.resolve({ reason: reasonOf(error, 'unreachable'), latency: null })
  }
  const secure = socket instanceof TLSSocket
  return new Promise((resolve) => {
    let latency: number | null = null
    let greeted = !secure
    let response = Buffer.alloc(0)
    const timer = setTimeout(() => end('timed_out'), withinMs)
    function end(reason: ProbeReason): void {
      clearTimeout(timer)
      socket.destroy()
      resolve({ reason, latency })
    }
    socket.on('error', (error) => {
      const broken = secure && latency !== null && !greeted
      end(reasonOf(error, broken ? 'tls_failed' : 'unreachable'))
    })
    socket.on('close', () => end('closed'))
    socket.once('connect', () => {
      latency = Math.round(performance.now() - since)
      if (!secure) socket.write(greeting())
    })
    socket.once('secureConnect', () => {
      greeted = true
      socket.write(greeting())
    })
    socket.on('data', (chunk: Buffer) => {
      response = Buffer.concat([response, chunk])
      if (response[0] !== 3) return end('wrong_protocol')
      if (response.length < 1 + 2 * blockBytes) return
      // C2 repeats S1; some servers log an error about callers that leave without it.
      socket.write(response.subarray(1, 1 + blockBytes))
      end('ok')
    })
  })
}

/** C0 and C1: version 3, a time and zeros, then ignored bytes. */
function greeting(): Buffer {
  const bytes = Buffer.alloc(1 + blockBytes, 7)
  bytes.fill(0, 1, 9)
  bytes[0] = 3
  return bytes
}

/** An SRT handshake, induction phase, as a caller begins it (draft-sharabayko-srt 4.3.1.1). */
function induction(): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt16BE(0x8000, 0)
  bytes.writeUInt32BE(4, 16)
  bytes.writeUInt16BE(2, 22)
  bytes.writeUInt32BE(1, 24)
  bytes.writeUInt32BE(1500, 28)
  bytes.writeUInt32BE(8192, 32)
  bytes.writeUInt32BE(1, 36)
  bytes.writeUInt32BE(0x2f3a_7b11, 40)
  return bytes
}

async function probeSrt({ host, port }: Destination, allowed: DestinationSettings, withinMs: number): Promise<Probe> {
  let address: string | null
  try {
    address = await Promise.race([resolveHost(host, allowed), wait(withinMs, null, { ref: false })])
  } catch (error) {
    return { reason: reasonOf(error, 'dns_failed'), latency: null }
  }
  return address === null ? { reason: 'timed_out', latency: null } : induce(address, port, withinMs)
}

/** Sends the beginning of a handshake until something comes back. */
function induce(address: string, port: number, withinMs: number): Promise<Probe> {
  return new Promise((resolve) => {
    const since = performance.now()
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    let again: NodeJS.Timeout | undefined
    let open = true
    const timer = setTimeout(() => end('timed_out'), withinMs)
    function end(reason: ProbeReason, latency: number | null = null): void {
      clearTimeout(timer)
      clearInterval(again)
      if (open) socket.close()
      open = false
      resolve({ reason, latency })
    }
    function ask(): void {
      if (open) socket.send(induction())
    }
    socket.on('error', (error) => end(reasonOf(error, 'unreachable')))
    socket.once('message', (bytes) => {
      const handshake = bytes.length >= 64 && bytes.readUInt16BE(0) === 0x8000
      end(handshake ? 'ok' : 'wrong_protocol', Math.round(performance.now() - since))
    })
    socket.connect(port, address, () => {
      ask()
      // Datagrams get lost.
      again = setInterval(ask, 500)
    })
  })
}
