// UDP proxy in front of a local port that loses, delays and reorders datagrams.
import { createSocket, type Socket } from 'node:dgram'

export interface LossyLine {
  /** Port that programs connect to. */
  readonly port: number
  /** Number of received datagrams, and of lost ones. */
  counts(): { readonly sent: number; readonly lost: number }
  close(): Promise<void>
}

/** @param percent of datagrams are lost, in both directions; every tenth is delayed by 15 ms */
export async function lossyLine(to: number, percent: number): Promise<LossyLine> {
  let state = 1
  const random = () => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % 1000
  const counts = { sent: 0, lost: 0 }
  const sockets = new Map<number, Socket>()
  const front = createSocket('udp4')
  const bound = (socket: Socket) => new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const pass = (socket: Socket, bytes: Buffer, port: number) => {
    counts.sent++
    if (random() < percent * 10) return void counts.lost++
    const send = () => {
      try {
        socket.send(bytes, port, '127.0.0.1', () => undefined)
      } catch {
        // The socket may have closed meanwhile.
      }
    }
    if (random() < 100) setTimeout(send, 15)
    else send()
  }
  front.on('message', (bytes, { port }) => {
    let back = sockets.get(port)
    if (!back) {
      back = createSocket('udp4')
      back.on('message', (answer) => pass(front, answer, port))
      back.on('error', () => undefined)
      sockets.set(port, back)
    }
    pass(back, bytes, to)
  })
  await bound(front)
  return {
    port: front.address().port,
    counts: () => counts,
    async close() {
      for (const socket of [front, ...sockets.values()]) await new Promise<void>((done) => socket.close(() => done()))
    },
  }
}
