// Fan-out of one stream: from one source to any number of receivers, isolated from each other.
import type { IngestReport } from '#contract/relay/reports.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { Bundle } from './bundle.ts'
import { costOf } from '#server/relay/cost.ts'
import { compositionMs } from './codecs.ts'
import { type Metadata, noMetadata, readMetadata } from './metadata.ts'
import { Packet } from './packet.ts'
import { ParameterSets } from './parameter-sets.ts'
import { StreamHeaders } from './stream-headers.ts'
import { Timeline } from './timeline.ts'
import { nearMs, WriteCoalescer } from './write-coalescer.ts'

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
      if (type === messageType.audio || type === messageType.video || type === messageType.data)
        this.#forward(this.#sets.of(new Packet(type, this.#place(message, now), payload)), now)
    }
  }

  /**
   * The next message begins a part of the stream that is unrelated to the one before: another encoder, or the repeated frame.
   * @param first its first frame
   */
  cut(first?: Pick<Message, 'type' | 'payload'>): void {
    this.timeline.restart(first && compositionMs(first))
  }

  #place(message: Message, now: number): number {
    const { type, timestamp } = message
    return this.timeline.place(type, timestamp, now, type === messageType.video ? compositionMs(message) : undefined)
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

  /** Returns the codecs of the headers, and the metadata of the encoder. */
  facts(): StreamFacts {
    const { video: videoCodec, audio: audioCodec } = this.codecs()
    return { videoCodec, audioCodec, ...this.#metadata }
  }

  #forward(packet: Packet, now: number): void {
    if (packet.isMetadata()) this.#metadata = readMetadata(packet.payload)
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
