// SRT publisher: remuxes MPEG-TS to FLV with ffmpeg and passes it on like RTMP media. When ffmpeg exits, the next one
// continues at a keyframe.
import type { Publication } from '#server/relay/ingest/publication.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Kept, KeepOptions, Programs } from '#server/relay/programs/programs.ts'
import { TransportReader } from './transport-packets.ts'

/** Copies the media without decoding it, and keeps its timestamps so that they continue after a restart. */
const args = [
  '-hide_banner -loglevel error -nostats -copyts -fflags +discardcorrupt -analyzeduration 1M -f mpegts -i pipe:0',
  '-map 0:v:0? -map 0:a:0? -c copy -max_interleave_delta 500000',
  // Without ffmpeg's own name in the encoder field.
  '-f flv -fflags +bitexact -flvflags no_duration_filesize -flush_packets 1 pipe:1',
].flatMap((part) => part.split(' '))

/** Search limit for encoders that mark no keyframes, bytes; after it the stream starts anywhere. */
const searchBytesMax = 4 * 1024 * 1024
/** Queue limit for ffmpeg, bytes; beyond it packets are dropped until the next keyframe. */
const queueBytesMax = 16 * 1024 * 1024
/** Time to flush ffmpeg's queue at the end, milliseconds. */
const flushMs = 1_000
/** Exits of ffmpeg without any output before the publisher gives up. */
const failuresMax = 3

export interface PublisherOptions {
  readonly programs: Pick<Programs, 'keep'>
  readonly publication: Publication
  /** Called when ffmpeg can remux no stream of the input. */
  readonly onUseless: () => void
  /** Called after the end, when all output has been passed on. */
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

  /** Handles the next bytes of the stream. */
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

  /** Ends the publisher. The remaining output of ffmpeg is passed on first, within the flush time. */
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
