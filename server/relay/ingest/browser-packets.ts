// Messages of a browser, `contract/entities/browser-ingest.ts`: parsing, and RTMP messages of their video and AAC.
import { browserFlags, browserHeadBytes, browserKinds, browserMessageBytes } from '#contract/entities/browser-ingest.ts'
import { picturesOf } from '#server/relay/media/sps.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { ProtocolError } from '#server/relay/rtmp/protocol-error.ts'

export interface BrowserPacket {
  readonly kind: number
  readonly isKey: boolean
  readonly isHeader: boolean
  /** Milliseconds. */
  readonly time: number
  readonly payload: Buffer
}

/** Sound that ffmpeg encodes as AAC. */
export interface RawSound {
  readonly format: 'opus' | 'pcm'
  /** Samples a second; 48,000 for Opus. */
  readonly rate: number
  readonly channels: number
}

/** Media of a packet: RTMP messages, the beginning of raw sound, or a piece of it. */
export type BrowserMedia =
  | { readonly type: 'messages'; readonly messages: readonly Message[] }
  | { readonly type: 'sound'; readonly sound: RawSound }
  | { readonly type: 'samples'; readonly packet: BrowserPacket }

const kinds: ReadonlySet<number> = new Set(Object.values(browserKinds))
/** Time that a track may go back, milliseconds. */
const backMsMax = 1_000
/** Largest packet of Opus (RFC 6716, 3.2.1 and 3.4), and largest configuration of AAC, bytes. */
const opusBytesMax = 1_275
const aacHeaderBytesMax = 64
const opusRate = 48_000
const pcmRates = { least: 8_000, most: 96_000 } as const
const sampleBytes = 2

/** Parses a message. @throws ProtocolError */
export function readBrowserPacket(bytes: Buffer): BrowserPacket {
  if (bytes.length > browserMessageBytes) throw new ProtocolError('A message is larger than 1 MB')
  if (bytes.length <= browserHeadBytes) throw new ProtocolError('A message has no media')
  const [kind = 0, flags = 0] = bytes
  if (!kinds.has(kind)) throw new ProtocolError(`The kind ${kind} of a message is unknown`)
  return {
    kind,
    isKey: (flags & browserFlags.key) !== 0,
    isHeader: (flags & browserFlags.header) !== 0,
    time: bytes.readUInt32BE(2),
    payload: bytes.subarray(browserHeadBytes),
  }
}

/** Reads the messages of one browser. */
export class BrowserReader {
  /** Newest time of each kind. */
  readonly #times = new Map<number, number>()
  readonly #begun = new Set<number>()
  #sound: RawSound | null = null

  /** Whether the page has sent a video header. */
  get hasVideo(): boolean {
    return this.#begun.has(browserKinds.video)
  }

  /** @throws ProtocolError for anything else than a stream */
  read(bytes: Buffer): BrowserMedia {
    const packet = readBrowserPacket(bytes)
    const { kind, time, isHeader } = packet
    const newest = this.#times.get(kind) ?? time
    if (time < newest - backMsMax) throw new ProtocolError('The time of the stream goes back')
    this.#times.set(kind, Math.max(time, newest))
    if (isHeader) this.#begun.add(kind)
    else if (!this.#begun.has(kind)) throw new ProtocolError('Media came before its header')
    if (kind === browserKinds.video) return { type: 'messages', messages: videoOf(packet) }
    if (kind === browserKinds.aac) return { type: 'messages', messages: [aacOf(packet)] }
    return isHeader ? { type: 'sound', sound: (this.#sound = soundOf(packet)) } : this.#samples(packet)
  }

  #samples(packet: BrowserPacket): BrowserMedia {
    const format = packet.kind === browserKinds.opus ? 'opus' : 'pcm'
    if (this.#sound?.format !== format) throw new ProtocolError('The sound changed without a header')
    if (format === 'opus' && packet.payload.length > opusBytesMax)
      throw new ProtocolError('An Opus packet is too large')
    if (format === 'pcm' && packet.payload.length % sampleBytes !== 0) throw new ProtocolError('A sample is incomplete')
    return { type: 'samples', packet }
  }
}

const messageOf = (type: number, timestamp: number, head: readonly number[], payload: Buffer): Message => ({
  type,
  streamId: 1,
  timestamp,
  payload: Buffer.concat([Buffer.from(head), payload]),
})

/** Messages of video: metadata goes before a header. */
function videoOf({ isHeader, isKey, time, payload }: BrowserPacket): readonly Message[] {
  if (!isHeader) {
    checkUnits(payload)
    return [messageOf(messageType.video, time, [isKey ? 0x17 : 0x27, 1, 0, 0, 0], payload)]
  }
  const [version, , , , lengths = 0] = payload
  if (version !== 1 || (lengths & 3) !== 3) throw new ProtocolError('The video header is not that of H.264')
  const header = messageOf(messageType.video, time, [0x17, 0, 0, 0, 0], payload)
  const pictures = picturesOf(header.payload, 'avc1')
  if (!pictures) throw new ProtocolError('The video header has no picture size')
  const { width, height } = pictures
  const about = { width, height, videocodecid: 7, encoder: browserEncoder }
  const metadata = encodeAmf('@setDataFrame', 'onMetaData', about)
  return [{ type: messageType.data, streamId: 1, timestamp: time, payload: metadata }, header]
}

/** Name of the encoder in events and metadata. */
export const browserEncoder = 'Browser'

/** Checks that NAL units with lengths of 4 bytes fill the payload (ISO/IEC 14496-15, 5.3.2). @throws ProtocolError */
function checkUnits(payload: Buffer): void {
  let at = 0
  while (at + 4 < payload.length) {
    const bytes = payload.readUInt32BE(at)
    if (bytes === 0) break
    at += 4 + bytes
  }
  if (at !== payload.length) throw new ProtocolError('A frame is incomplete')
}

function aacOf({ isHeader, time, payload }: BrowserPacket): Message {
  if (isHeader && payload.length > aacHeaderBytesMax) throw new ProtocolError('The sound header is not that of AAC')
  return messageOf(messageType.audio, time, [0xaf, isHeader ? 0 : 1], payload)
}

/** Raw sound by its header: the number of channels for Opus, the samples a second for PCM, which is mono. */
function soundOf({ kind, payload }: BrowserPacket): RawSound {
  if (kind === browserKinds.opus) {
    const [channels = 0] = payload
    if (payload.length !== 1 || channels < 1 || channels > 2) throw new ProtocolError('Opus has one or two channels')
    return { format: 'opus', rate: opusRate, channels }
  }
  const rate = payload.length === 4 ? payload.readUInt32BE(0) : 0
  if (rate < pcmRates.least || rate > pcmRates.most) throw new ProtocolError('The sample rate is out of range')
  return { format: 'pcm', rate, channels: 1 }
}
