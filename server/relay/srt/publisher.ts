// Somebody who publishes by SRT: MPEG-TS into ffmpeg, FLV out of it, and on as what an encoder sends by RTMP. ffmpeg may
// end as often as it likes; the next one goes on at a picture that can be begun with.
import type { Publication } from '#server/relay/ingest/publication.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Kept, KeepOptions, Programs } from '#server/relay/programs/programs.ts'
import { TransportReader } from './transport-packets.ts'

/** Media flows on without being decoded; its time is kept, so that it goes on over a restart. */
const args = [
  '-hide_banner -loglevel error -nostats -copyts -fflags +discardcorrupt -analyzeduration 1M -f mpegts -i pipe:0',
  '-map 0:v:0? -map 0:a:0? -c copy -max_interleave_delta 500000',
  // Without its own name as that of the encoder.
  '-f flv -fflags +bitexact -flvflags no_duration_filesize -flush_packets 1 pipe:1',
].flatMap((part) => part.split(' '))

/** Some encoders mark no keyframe: then it begins where it is, bytes. */
const searchBytesMax = 4 * 1024 * 1024
/** What may wait for ffmpeg; more is left out up to the next keyframe. */
const queueBytesMax = 16 * 1024 * 1024
/** How long that may take for what waits in it at the end, milliseconds. */
const flushMs = 1_000
/** Times that ffmpeg may end without anything coming out. */
const failuresMax = 3

export interface PublisherOptions {
  readonly programs: Pick<Programs, 'keep'>
  readonly publication: Publication
  /** What comes in is nothing that can be passed on. */
  readonly onUseless: () => void
  /** After the end: nothing more comes out. */
  readonly onFlushed: () => void
}

export class SrtPublisher {
  readonly #options: PublisherOptions
  readonly #kept: Kept
  #reader = new TransportReader()
  #input: Parameters<KeepOptions['attach']>[0]['stdin'] | null = null
  #searched: number | null = 0
  #failures = 0
  #ended: (() => void) | null = null

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#kept = options.programs.keep({ args, attach: (io) => this.#attach(io) })
  }

  /** The next bytes of the stream. */
  take(bytes: Buffer): void {
    const packets = this.#reader.read(bytes)
    const input = this.#input
    if (!input) return
    if (this.#searched === null && input.writableLength > queueBytesMax) this.#searched = 0
    const on: Buffer[] = []
    for (const { bytes: packet, isStart } of packets) {
      if (this.#searched !== null) {
        this.#searched += packet.length
        if (!isStart && this.#searched < searchBytesMax) continue
        if (input.writableLength > queueBytesMax / 4) continue
        this.#searched = null
        on.push(...this.#reader.opening())
      }
      on.push(packet)
    }
    if (on.length > 0) input.write(Buffer.concat(on))
  }

  /** Ends it for good. What ffmpeg still has comes out first, if it does so soon. */
  async end(): Promise<void> {
    const input = this.#input
    this.#input = null
    const flushed = new Promise<void>((resolve) => (this.#ended = resolve))
    if (input) {
      input.end()
      await Promise.race([flushed, wait(flushMs, undefined, { ref: false })])
    }
    this.#options.onFlushed()
    await this.#kept.stop()
  }

  #attach({ stdin, stdout }: Parameters<KeepOptions['attach']>[0]): () => void {
    const flv = new FlvReader()
    let flows = false
    this.#input = stdin
    this.#searched = 0
    stdout.on('data', (bytes: Buffer) => {
      try {
        for (const message of flv.read(bytes)) {
          this.#options.publication.take(message)
          flows = true
        }
      } catch {
        stdout.destroy()
      }
    })
    return () => {
      if (this.#input === stdin) this.#input = null
      if (this.#ended) return this.#ended()
      this.#failures = flows ? 0 : this.#failures + 1
      if (this.#failures >= failuresMax) this.#options.onUseless()
    }
  }
}
