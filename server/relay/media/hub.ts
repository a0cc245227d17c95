// Fan-out of one stream: from one source to any number of receivers, isolated from each other.
import type { IngestReport } from '#contract/relay/reports.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { Bundle } from './bundle.ts'
import { costOf } from '#server/relay/cost.ts'
import { compositionMs, inspectAudio } from './codecs.ts'
import { type Metadata, noMetadata, readMetadata } from './metadata.ts'
import { Packet } from './packet.ts'
import { ParameterSets } from './parameter-sets.ts'
import { type Pictures, picturesOf } from './sps.ts'
import { StreamHeaders } from './stream-headers.ts'
import { Timeline } from './timeline.ts'

// Decides when packets are written, so that packets that arrive close together share one write per receiver.

/** An audio and a video packet this close share a write, milliseconds. */
const nearMs = 8
/** Tolerance beyond the expected arrival, milliseconds. */
const toleranceMs = 1

/** Arrival of the last packet of a kind, and its distance to the one before. */
interface Arrival {
  readonly at: number
  readonly timestamp: number
  readonly interval: number
}

const none: Arrival = { at: 0, timestamp: 0, interval: 0 }

class WriteCoalescer {
  readonly #flush: () => void
  readonly #audioWaitMs: number
  #video = none
  #audio = none
  #isScheduled = false
  #timer: NodeJS.Timeout | undefined
  /** Kind of the packet that waits for the timer, unless a packet of the other kind arrives. */
  #waitingKind: Packet['kind'] = 'data'

  /**
   * @param flush writes all packets seen so far
   * @param audioWaitMs how long an audio packet may wait for a video packet, milliseconds
   */
  constructor(flush: () => void, audioWaitMs: number) {
    this.#audioWaitMs = audioWaitMs
    this.#flush = () => {
      this.#isScheduled = false
      flush()
    }
  }

  /** Schedules the write of a packet. @param now any clock, milliseconds */
  see({ kind, timestamp }: Packet, now: number): void {
    const other = kind === 'video' ? this.#audio : this.#video
    if (kind === 'video') this.#video = { at: now, timestamp, interval: timestamp - this.#video.timestamp }
    else if (kind === 'audio') this.#audio = { at: now, timestamp, interval: timestamp - this.#audio.timestamp }
    // A second packet of the same kind waits with the first one.
    if (this.#isScheduled || (this.#timer && kind === this.#waitingKind)) return
    const wait = other.at + other.interval - now
    const waitMax = kind === 'audio' ? this.#audioWaitMs : Math.min(nearMs, this.#audioWaitMs)
    if (kind !== 'data' && !this.#timer && wait > 0 && wait <= waitMax) {
      this.#waitingKind = kind
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#flush()
      }, wait + toleranceMs)
      return
    }
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isScheduled = true
    process.nextTick(this.#flush)
  }
}

/** Memory of the group of pictures for late receivers: OBS sends GOPs of up to 12 s. */
const groupBytesMax = 16 * 1024 * 1024
const groupMsMax = 15_000
/** Memory of packets that wait for a shared write. */
const gatheredBytesMax = 1024 * 1024

/** Receives each packet immediately. Must not throw and must not block. */
export interface Receiver {
  take(packet: Packet): void
}

/** Receives packets in bundles, some milliseconds later: for receivers whose cost is per write. */
export interface Follower {
  takeAll(bundle: Bundle): void
}

/** Codecs of a stream, and its metadata. */
export type StreamFacts = Metadata & Pick<IngestReport, 'videoCodec' | 'audioCodec'>

/** Fans a stream out. Keeps what a late receiver needs: metadata, headers, and the packets since the last keyframe. */
export class Hub {
  readonly timeline = new Timeline()
  readonly #sets = new ParameterSets()
  readonly #receivers = new Set<Receiver>()
  readonly #headers = new StreamHeaders()
  #metadata = noMetadata
  /** Pictures by the video header; null without one that can be read. */
  #pictures: Pictures | null = null
  #group: Packet[] = []
  #groupBytes = 0
  readonly #followers = new Set<Follower>()
  /** Maximum wait of an audio packet for the next video packet to share its write, milliseconds. */
  readonly gatherMs: number
  readonly #coalescer: WriteCoalescer
  /** The next bundle. */
  #gathered: Packet[] = []
  #gatheredBytes = 0

  constructor(gatherMs: number = nearMs) {
    this.gatherMs = gatherMs
    this.#coalescer = new WriteCoalescer(() => this.#flush(), gatherMs)
  }

  /** Forwards messages of the source that arrived together. Drops messages that are not media. */
  push(messages: readonly Message[], now: number): void {
    for (const message of messages) {
      const { type, payload } = message
      if (payload.length === 0) continue
      if (type !== messageType.audio && type !== messageType.video && type !== messageType.data) continue
      const at = this.#place(message, now)
      if (at !== null) this.#forward(this.#sets.of(new Packet(type, at, payload)), now)
    }
  }

  /**
   * The next message begins a part of the stream that is unrelated to the one before: another encoder, or the repeated frame.
   * @param first its first frame
   */
  cut(first?: Pick<Message, 'type' | 'payload'>): void {
    this.timeline.restart(first && compositionMs(first))
  }

  #place(message: Message, now: number): number | null {
    const { type, timestamp, payload } = message
    const isSound = type === messageType.audio && inspectAudio(payload).role === 'frame'
    const frame = type === messageType.video ? { composition: compositionMs(message) } : { isSound }
    return this.timeline.place(type, timestamp, now, frame)
  }

  /** Adds a receiver of all further packets. @returns a function that removes it */
  attach(receiver: Receiver): () => void {
    this.#receivers.add(receiver)
    return () => void this.#receivers.delete(receiver)
  }

  /** Adds a receiver of bundles, which begin after the packets of `group()`. @returns a function that removes it */
  follow(follower: Follower): () => void {
    this.#flush()
    this.#followers.add(follower)
    return () => {
      this.#flush()
      this.#followers.delete(follower)
    }
  }

  /** Returns the packets that a decoder needs before the first frame: metadata and headers. */
  headers(): readonly Packet[] {
    return this.#headers.packets()
  }

  /** Returns the newest header of a kind. */
  header(kind: 'audio' | 'video'): Packet | undefined {
    return this.#headers.header(kind)
  }

  /** Returns the packets since the last keyframe; empty without one, or if the GOP is too long to keep. */
  group(): readonly Packet[] {
    return this.#group
  }

  /** Late receivers begin with the next keyframe, not with the group so far. */
  forgetGroup(): void {
    this.#group = []
    this.#groupBytes = 0
  }

  /** True when the stream has video. Without video a decoder can begin at any packet. */
  get hasVideo(): boolean {
    return this.#headers.header('video') !== undefined
  }

  /** Returns the tracks seen so far. MP3 has no header: it is detected by its frames. */
  tracks(): { readonly audio: boolean; readonly video: boolean } {
    const kinds = new Set([...this.headers(), ...this.#group].map(({ kind }) => kind))
    return { audio: kinds.has('audio'), video: kinds.has('video') }
  }

  /** Returns the codecs of the headers; empty without a header. */
  codecs(): { readonly video: string; readonly audio: string } {
    const codec = (kind: 'audio' | 'video') => this.#headers.header(kind)?.codec.trim() ?? ''
    return { video: codec('video'), audio: codec('audio') }
  }

  /** Returns the codecs of the headers, the pictures of the video header, else of the metadata, and the name of the encoder. */
  facts(): StreamFacts {
    const { video: videoCodec, audio: audioCodec } = this.codecs()
    const { width, height, frameRate } = this.#pictures ?? this.#metadata
    const { encoder, frameRate: claimed } = this.#metadata
    // Some encoders count fields in the header.
    const isDouble = claimed > 0 && frameRate === claimed * 2
    return { videoCodec, audioCodec, encoder, width, height, frameRate: isDouble ? claimed : frameRate || claimed }
  }

  #forward(packet: Packet, now: number): void {
    if (packet.isMetadata()) this.#metadata = readMetadata(packet.payload)
    if (packet.kind === 'video' && packet.role === 'header') this.#pictures = picturesOf(packet.payload, packet.codec)
    if (!this.#headers.take(packet)) this.#keep(packet)
    for (const receiver of this.#receivers) receiver.take(packet)
    if (this.#followers.size === 0) return
    this.#gathered.push(packet)
    this.#gatheredBytes += costOf(packet)
    this.#coalescer.see(packet, now)
    if (this.#gatheredBytes > gatheredBytesMax) this.#flush()
  }

  #flush(): void {
    if (this.#gathered.length === 0) return
    const bundle = new Bundle(this.#gathered)
    this.#gathered = []
    this.#gatheredBytes = 0
    for (const follower of this.#followers) follower.takeAll(bundle)
  }

  #keep(packet: Packet): void {
    if (packet.kind === 'video' && packet.role === 'key') this.forgetGroup()
    else if (this.#group.length === 0) return
    this.#group.push(packet)
    this.#groupBytes += costOf(packet)
    const since = packet.timestamp - (this.#group[0]?.timestamp ?? 0)
    if (this.#groupBytes > groupBytesMax || since > groupMsMax) this.forgetGroup()
  }
}
