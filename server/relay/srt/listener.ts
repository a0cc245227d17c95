// SRT listener on a UDP port.
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Callers, createCallers, type SrtOptions } from './callers.ts'

export interface SrtListener extends Pick<Callers, 'sizes'> {
  readonly port: number
  close(): Promise<void>
}

/** Requested receive buffer of the socket, bytes; the system may grant less. */
const bufferBytes = 4 * 1024 * 1024

/** Listens. @param port 0 selects a free port @throws when the port is in use */
export async function listenSrt(port: number, host: string, options: SrtOptions): Promise<SrtListener> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, resolve)
  })
  socket.removeAllListeners('error').on('error', () => undefined)
  widen(socket)
  const callers = createCallers((packet, to) => socket.send(packet, to.port, to.address, () => undefined), options)
  socket.on('message', callers.take)
  return {
    port: socket.address().port,
    sizes: callers.sizes,
    close() {
      callers.close()
      return new Promise((resolve) => socket.close(() => resolve()))
    },
  }
}

function widen(socket: Socket): void {
  try {
    socket.setRecvBufferSize(bufferBytes)
    socket.setSendBufferSize(bufferBytes)
  } catch {
    // The system's default is enough for most uses.
  }
}
