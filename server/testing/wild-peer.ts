// Peers that misbehave at random moments: conversations that are truncated, reset, half-closed or malformed.
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { peer } from './peers.ts'

/** Pseudo-random numbers from 0 to 1, reproducible by seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const text = 0x1
const binary = 0x2

/** WebSocket frame as a client sends it (RFC 6455, 5.2): complete and masked by default. */
function frame(opcode: number, payload: Buffer, { isMasked = true, first = 0x80 } = {}): Buffer {
  const mask = Buffer.from([1, 2, 3, 4])
  const masked = isMasked ? 0x80 : 0
  const { length } = payload
  const size = length < 126 ? [masked | length] : [masked | 126, length >> 8, length & 0xff]
  const head = Buffer.from([first | opcode, ...size])
  if (!isMasked) return Buffer.concat([head, payload])
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ mask.readUInt8(index % 4))])
}

export const textFrame = (payload: string | object): Buffer =>
  frame(text, Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)))
export const binaryFrame = (payload: Buffer): Buffer => frame(binary, payload)

/** Frames that the protocol forbids. */
const broken: readonly Buffer[] = [
  frame(text, Buffer.from('unmasked'), { isMasked: false }),
  frame(text, Buffer.from('reserved bits'), { first: 0xf0 }),
  frame(text, Buffer.from([0xff, 0xfe])),
  frame(0x0, Buffer.from('nothing to continue')),
  frame(0x3, Buffer.from('unknown opcode')),
  frame(0x8, Buffer.from([3])),
  frame(0x8, Buffer.from([0x03, 0xec])),
  frame(0x9, Buffer.from('ping in pieces'), { first: 0 }),
  frame(0x9, Buffer.alloc(200)),
  Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
]

/**
 * Sends a conversation up to a random byte, in random pieces, then ends the connection in one of several ways.
 * @param opened receives the local port
 */
export async function misbehave(
  url: string,
  conversation: readonly (string | Buffer)[],
  random: () => number,
  opened: (port: number) => void,
): Promise<void> {
  const one = await peer(url)
  const { socket } = one
  opened(socket.localPort ?? 0)
  const pick = (below: number) => Math.floor(random() * below)
  const all = Buffer.concat(conversation.map((piece) => Buffer.from(piece)))
  // Half of the conversations are complete: errors after the last byte matter as much as truncation.
  let left = random() < 0.5 ? all : all.subarray(0, pick(all.length + 1))
  const end = pick(4)
  while (left.length > 0 && !socket.destroyed) {
    const size = random() < 0.5 ? left.length : 1 + pick(left.length)
    socket.write(left.subarray(0, size))
    left = left.subarray(size)
    await (random() < 0.5 ? turn() : wait(pick(5)))
  }
  if (random() < 0.5) await wait(pick(30))
  if (end === 0) return one.reset()
  if (end === 1) socket.write(broken[pick(broken.length)] ?? '')
  if (end === 2) await wait(pick(30))
  socket.end()
  if (end === 3) one.reset()
  else await one.ended
  socket.destroy()
}
