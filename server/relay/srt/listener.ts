// SRT listener on a UDP port.
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { createBonds } from './bonds.ts'
import { type Callers, createCallers, type Flow, type Peer, type SrtOptions } from './callers.ts'

export interface SrtListener extends Pick<Callers, 'sizes'> {
  readonly port: number
  /** Accepts no new callers. On a shared port those that are connected stay. */
  stop(): void
  close(): Promise<void>
}

export interface SrtAddress {
  /** 0 selects a free port. */
  readonly port: number
  readonly host: string
  /**
   * Other processes of the machine listen on the same port. Each caller then gets a connected socket, because the system
   * distributes datagrams to unconnected ones anew whenever a process joins or leaves.
   */
  readonly isShared: boolean
}

/** Requested receive buffer of the socket, bytes; the system may grant less. */
const bufferBytes = 4 * 1024 * 1024

/** Listens. @throws when the port is in use */
export async function listenSrt({ port, host, isShared }: SrtAddress, options: SrtOptions): Promise<SrtListener> {
  const socket = await openSocket({ port, host, isShared })
  const bound = socket.address().port
  let isOpen = true
  const send = (packet: Buffer, to: Peer) => {
    if (isOpen) socket.send(packet, to.port, to.address, () => undefined)
  }
  const open = (to: Peer) => openFlow({ port: bound, host, isShared }, to, bonds.take)
  const bonds = createBonds({
    take: (bytes, from) => callers.take(bytes, from),
    send,
    openFlow: isShared ? open : undefined,
  })
  const callers = createCallers(bonds.send, {
    ...options,
    openFlow: async (to) =>
      bonds.flowTo(to) ?? (isShared ? await open(to) : { send: (packet) => send(packet, to), close: () => undefined }),
  })
  socket.on('message', bonds.take)
  const stop = () => {
    if (isOpen) socket.close()
    isOpen = false
  }
  return {
    port: bound,
    sizes: callers.sizes,
    stop,
    close() {
      callers.close()
      bonds.close()
      const closed = new Promise<void>((resolve) => (isOpen ? socket.once('close', () => resolve()) : resolve()))
      stop()
      return closed
    },
  }
}

/**
 * Opens a socket that receives the datagrams of one peer only. Until it is connected it also receives those of others, which `take`
 * handles; a handshake that another process should have received is repeated by its caller.
 */
async function openFlow(address: SrtAddress, peer: Peer, take: Callers['take']): Promise<Flow> {
  const socket = await openSocket(address)
  socket.on('message', take)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.connect(peer.port, peer.address, resolve)
    })
  } catch (error) {
    socket.close()
    throw error
  }
  let isOpen = true
  return {
    send(packet) {
      // A peer that is gone makes the system report errors; the timeout of the connection ends it.
      if (isOpen) socket.send(packet, () => undefined)
    },
    close() {
      isOpen = false
      setImmediate(() => socket.close())
    },
  }
}

async function openSocket({ port, host, isShared }: SrtAddress): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', reusePort: isShared })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, resolve)
  })
  socket.removeAllListeners('error').on('error', () => undefined)
  widen(socket)
  return socket
}

function widen(socket: Socket): void {
  try {
    socket.setRecvBufferSize(bufferBytes)
    socket.setSendBufferSize(bufferBytes)
  } catch {
    // The system's default is enough for most uses.
  }
}
