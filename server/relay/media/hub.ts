// One stream inside the relay: from one source, to any number of receivers. Nobody's trouble is anybody else's.
import type { Message } from '#server/relay/rtmp/chunks.ts'
import { messageType } from '#server/relay/rtmp/messages.ts'
import { Bundle } from './bundle.ts'
import { costOf } from './cost.ts'
import { type Metadata, noMetadata, readMetadata } from './metadata.ts'
import { Opening } from './opening.ts'
import { Packet } from './packet.ts'
import { nearMs, Rhythm } from './rhythm.ts'
import { Timeline } from './timeline.ts'

/** Memory that the group for late receivers may take: OBS makes groups of 12 s when asked to. */
const groupBytesMax = 16 * 1024 * 1024
const groupMsMax = 15_000
/** Memory of what waits to go out together. */
const gatheredBytesMax = 1024 * 1024

/** Who gets packets. Must not throw, and must not wait. */
export interface Receiver {
  take(packet: Packet): void
}

/** The same, for whom each time costs more than each packet: gets what goes out together, a few milliseconds later. */
export interface Follower {
  takeAll(bundle: Bundle): void
}

/** What is known about a stream beside its frames. */
export interface StreamFacts extends Metadata {
  readonly videoCodec: string
  readonly audioCodec: string
}

/** Fans a stream out. Keeps what a late receiver needs: metadata, headers, and the group since the last keyframe. */
export class Hub {
  readonly timeline = new Timeline()
  readonly #receivers = new Set<Receiver>()
  readonly #opening = new Opening()
  #said = noMetadata
  #group: Packet[] = []
  #groupBytes = 0
  readonly #followers = new Set<Follower>()
  /** How long a sound may wait for the next picture, so that both go out in one write; milliseconds. */
  readonly gatherMs: number
  readonly #rhythm: Rhythm
  /** What followers get next. */
  #gathered: Packet[] = []
  #gatheredBytes = 0

  constructor(gatherMs: number = nearMs) {
    this.gatherMs = gatherMs
    this.#rhythm = new Rhythm(() => this.#handOut(), gatherMs)
  }

  /** Takes messages of the source that came together; what is not media is left out. */
  push(messages: readonly Message[], now: number): void {
    for (const { type, timestamp, payload } of messages) {
      if (payload.length === 0) continue
      if (type === messageType.audio || type === messageType.video || type === messageType.data)
        this.#hand(new Packet(type, this.timeline.place(type, timestamp, now), payload), now)
    }
  }

  /** From here on the receiver gets every packet. @returns what stops that */
  attach(receiver: Receiver): () => void {
    this.#receivers.add(receiver)
    return () => void this.#receivers.delete(receiver)
  }

  /** From here on it gets every packet that is not in the group yet, as bundles. @returns what stops that */
  follow(follower: Follower): () => void {
    this.#handOut()
    this.#followers.add(follower)
    return () => {
      this.#handOut()
      this.#followers.delete(follower)
    }
  }

  /** What a decoder has to know before the first frame: metadata and the headers. */
  opening(): readonly Packet[] {
    return this.#opening.packets()
  }

  /** The packets since the last keyframe; empty when there was none, or the group is too long to keep. */
  group(): readonly Packet[] {
    return this.#group
  }

  /** Whether there is a picture. Where there is none, any packet is one to begin with. */
  get hasVideo(): boolean {
    return this.#opening.header('video') !== undefined
  }

  /** What is in it, as far as it was seen. MP3 has no header: sound without one is known by its frames. */
  tracks(): { readonly audio: boolean; readonly video: boolean } {
    const kinds = new Set([...this.opening(), ...this.#group].map(({ kind }) => kind))
    return { audio: kinds.has('audio'), video: kinds.has('video') }
  }

  /** Codecs by the headers; empty where there was none. */
  codecs(): { readonly video: string; readonly audio: string } {
    const codec = (kind: 'audio' | 'video') => this.#opening.header(kind)?.codec.trim() ?? ''
    return { video: codec('video'), audio: codec('audio') }
  }

  /** Codecs by the headers; the rest as the encoder said it. */
  facts(): StreamFacts {
    const { video: videoCodec, audio: audioCodec } = this.codecs()
    return { videoCodec, audioCodec, ...this.#said }
  }

  #hand(packet: Packet, now: number): void {
    if (packet.isMetadata()) this.#said = readMetadata(packet.payload)
    if (!this.#opening.take(packet)) this.#keep(packet)
    for (const receiver of this.#receivers) receiver.take(packet)
    if (this.#followers.size === 0) return
    this.#gathered.push(packet)
    this.#gatheredBytes += costOf(packet)
    this.#rhythm.see(packet, now)
    if (this.#gatheredBytes > gatheredBytesMax) this.#handOut()
  }

  #handOut(): void {
    if (this.#gathered.length === 0) return
    const bundle = new Bundle(this.#gathered)
    this.#gathered = []
    this.#gatheredBytes = 0
    for (const follower of this.#followers) follower.takeAll(bundle)
  }

  #keep(packet: Packet): void {
    if (packet.kind === 'video' && packet.role === 'key') this.#clearGroup()
    else if (this.#group.length === 0) return
    this.#group.push(packet)
    this.#groupBytes += costOf(packet)
    const since = packet.timestamp - (this.#group[0]?.timestamp ?? 0)
    if (this.#groupBytes > groupBytesMax || since > groupMsMax) this.#clearGroup()
  }

  #clearGroup(): void {
    this.#group = []
    this.#groupBytes = 0
  }
}
