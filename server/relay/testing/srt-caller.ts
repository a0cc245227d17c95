// SRT caller made by hand: publishes numbered payloads without a program.
import { createSocket } from 'node:dgram'
import { writeAbilities, writeText } from '#server/relay/srt/extensions.ts'
import { type Handshake, handshakeType, readHandshake, writeHandshake } from '#server/relay/srt/handshake.ts'
import { controlType, readPacket, writeControl, writeData } from '#server/relay/srt/packets.ts'

/** A handshake that is lost is repeated after this time, as libsrt does, milliseconds. */
const repeatMs = 250
const first = 1000

export interface SrtTestCaller {
  /** Sends a payload. */
  send(payload: Buffer): void
  close(): void
}

/**
 * Connects.
 * @param streamId what libsrt calls `streamid`
 * @throws when the listener refuses, or does not respond within the time, milliseconds
 */
export async function callSrt(to: number, streamId: string, withinMs = 60_000): Promise<SrtTestCaller> {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const own = (socket.address().port % 1000) + 1
  const put = (packet: Buffer) => socket.send(packet, to, '127.0.0.1', () => undefined)
  const hello = { encryption: 0, sequence: first, mtu: 1500, window: 8192, socket: own }
  const greet = (change: Omit<Handshake, keyof typeof hello>) =>
    writeControl(controlType.handshake, { timestamp: 0, destination: 0, body: writeHandshake({ ...hello, ...change }) })
  const abilities = writeAbilities({ version: 0x01_05_01, flags: 0xbf, receiveMs: 120, sendMs: 120 })
  const { induction, conclusion } = handshakeType
  let packet = greet({ version: 4, extension: 2, type: induction, cookie: 0, extensions: [] })
  const timer = setInterval(() => put(packet), repeatMs)
  put(packet)
  try {
    const peer = await new Promise<number>((resolve, reject) => {
      const over = setTimeout(() => reject(new Error('No response')), withinMs)
      socket.on('message', (bytes) => {
        const read = readPacket(bytes)
        const answer = read?.isControl && read.type === controlType.handshake ? readHandshake(read.body) : null
        if (!answer) return
        if (answer.type === induction) {
          const extensions = [
            { type: 1, content: abilities },
            { type: 5, content: writeText(streamId) },
          ]
          packet = greet({ version: 5, extension: 5, type: conclusion, cookie: answer.cookie, extensions })
          put(packet)
        } else {
          clearTimeout(over)
          if (answer.type === conclusion) resolve(answer.socket)
          else reject(new Error(`Refused: ${answer.type}`))
        }
      })
    })
    let sent = 0
    return {
      send(payload) {
        const message = ++sent
        put(writeData({ sequence: first + message - 1, message, timestamp: 0, destination: peer, payload, key: null }))
      },
      close: () => socket.close(),
    }
  } catch (error) {
    socket.close()
    throw error
  } finally {
    clearInterval(timer)
  }
}
