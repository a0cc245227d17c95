// Stream of a browser by hand: messages, and a client that sends them to a service.
import { WebSocket } from 'ws'
import {
  browserFlags,
  browserKinds,
  browserProtocol,
  BrowserText,
  type BrowserText as Text,
} from '#contract/entities/browser-ingest.ts'

interface Part {
  readonly kind: number
  readonly isKey?: boolean
  readonly isHeader?: boolean
  /** Milliseconds. */
  readonly time?: number
  readonly payload: Uint8Array
}

/** Writes a message. */
export function browserMessage({ kind, isKey = false, isHeader = false, time = 0, payload }: Part): Buffer {
  const flags = (isKey ? browserFlags.key : 0) | (isHeader ? browserFlags.header : 0)
  const head = Buffer.from([kind, flags, 0, 0, 0, 0])
  head.writeUInt32BE(time, 2)
  return Buffer.concat([head, payload])
}

/** Configuration of H.264: Baseline, 320 × 180, 25 frames a second. */
export const avcConfiguration = Buffer.from(
  '0142c00cffe100196742c00cd901419f9f011000000300100000030320f142a48001000568cb83cb20',
  'hex',
)
const { video, aac } = browserKinds

/** A NAL unit with its length. */
const unit = (type: number, bytes: number): Buffer => {
  const written = Buffer.alloc(4 + bytes, 0x55)
  written.writeUInt32BE(bytes, 0)
  written[4] = type
  return written
}

/** Messages by hand, their times in milliseconds. */
export const sent = {
  videoHeader: (time = 0) => browserMessage({ kind: video, isHeader: true, time, payload: avcConfiguration }),
  keyframe: (time: number) => browserMessage({ kind: video, isKey: true, time, payload: unit(0x65, 400) }),
  interframe: (time: number) => browserMessage({ kind: video, time, payload: unit(0x41, 100) }),
  aacHeader: (time = 0) => browserMessage({ kind: aac, isHeader: true, time, payload: Buffer.from([0x11, 0x90]) }),
  aac: (time: number) => browserMessage({ kind: aac, time, payload: Buffer.from([1, 2, 3]) }),
  /** Headers of both tracks. */
  headers: () => [sent.aacHeader(), sent.videoHeader()],
  /** Seconds at 25 frames with a keyframe each second, and sound. */
  *seconds(fromMs: number, count: number): Generator<Buffer> {
    for (let frame = 0; frame < count * 25; frame++) {
      const time = fromMs + frame * 40
      yield frame % 25 === 0 ? sent.keyframe(time) : sent.interframe(time)
      yield sent.aac(time + 20)
    }
  },
}

/** A page that streams. */
export interface BrowserClient {
  readonly socket: WebSocket
  readonly texts: readonly Text[]
  /** Resolves with `live`, the reason of the end, or the status of a refused request. */
  readonly outcome: Promise<string>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  send(...messages: Iterable<Buffer>[]): void
}

/** Connects with a ticket. */
export function browserClient(url: string, ticket: string): BrowserClient {
  const socket = new WebSocket(url, [browserProtocol, ticket])
  const texts: Text[] = []
  const outcome = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<number>()
  socket.on('message', (data: Buffer) => {
    const text = BrowserText.parse(JSON.parse(data.toString()))
    texts.push(text)
    if (text.type !== 'keyframe') outcome.resolve(text.type === 'live' ? 'live' : text.reason)
  })
  socket.on('unexpected-response', (_, { statusCode }) => {
    outcome.resolve(String(statusCode))
    socket.terminate()
  })
  socket.on('error', () => undefined)
  socket.on('close', (code) => {
    outcome.resolve('closed')
    closed.resolve(code)
  })
  return {
    socket,
    texts,
    outcome: outcome.promise,
    closed: closed.promise,
    send(...messages) {
      for (const group of messages) for (const message of group) socket.send(message)
    },
  }
}
