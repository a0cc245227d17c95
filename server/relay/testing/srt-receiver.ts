// Receivers of SRT destinations: libsrt in ffmpeg, as a listener that records, and a hand-made listener that misbehaves.
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type Handshake, readHandshake, writeHandshake } from '#server/relay/srt/handshake.ts'
import { controlType, type ControlPacket, readPacket, writeControl } from '#server/relay/srt/packets.ts'

/** Recording listener. */
export interface SrtReceiver {
  readonly child: ChildProcess
  /** True when it listens, on Linux. */
  isListening(): boolean
  /** Size of the recording so far, bytes. */
  size(): number
  /** Ends the listener with a signal, and resolves when it has exited. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Records what a caller sends, byte by byte.
 * @param parameters of the address, such as `passphrase=…`; the latency is 2 s
 */
export function recordSrt(port: number, file: string, parameters = ''): SrtReceiver {
  const address = `srt://127.0.0.1:${port}?mode=listener&latency=2000000&transtype=live${parameters && `&${parameters}`}`
  const args = `-v error -y -fflags nobuffer -f data -i ${address} -map 0 -c copy -flush_packets 1 -f data ${file}`
  const child = spawn('ffmpeg', args.split(' '), { stdio: ['ignore', 'ignore', 'ignore'] })
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    child,
    isListening: () => boundPorts().includes(port),
    size: () => (existsSync(file) ? statSync(file).size : 0),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await over
    },
  }
}

/** Ports of UDP sockets of this machine. */
const boundPorts = (): number[] =>
  [...readFileSync('/proc/net/udp', 'utf8').matchAll(/^ *\d+: \w+:(\w+)/gm)].map(([, port = '']) => parseInt(port, 16))

/** Listener whose answers the test makes. */
export interface RawListener {
  readonly port: number
  /** Received handshakes, in order. */
  readonly handshakes: readonly Handshake[]
  /** Sends bytes to the last caller. */
  send(bytes: Buffer): void
  close(): Promise<void>
}

/** @param answer returns the handshake for a received one, or bytes; null: no answer */
export async function rawListener(answer: (received: Handshake) => Handshake | Buffer | null): Promise<RawListener> {
  const handshakes: Handshake[] = []
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  let caller: { readonly port: number; readonly address: string } | null = null
  const send = (bytes: Buffer) => {
    if (caller) socket.send(bytes, caller.port, caller.address, () => undefined)
  }
  socket.on('message', (bytes, from) => {
    caller = from
    const packet = readPacket(bytes)
    const received = packet?.isControl && packet.type === controlType.handshake ? readHandshake(packet.body) : null
    if (!received) return
    handshakes.push(received)
    const said = answer(received)
    if (Buffer.isBuffer(said)) send(said)
    else if (said) send(handshakePacket(said, received.socket))
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    port: socket.address().port,
    handshakes,
    send,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** Packet with a handshake for a socket number. */
export const handshakePacket = (handshake: Handshake, destination: number): Buffer =>
  writeControl(controlType.handshake, { timestamp: 0, destination, body: writeHandshake(handshake) } satisfies Pick<
    ControlPacket,
    'timestamp' | 'destination' | 'body'
  >)
