// Transcoder of a project on air: ffmpeg between two hubs. After a crash it restarts; receivers of its output stay connected
// and continue with the next keyframe.
import { sendFlv } from '#server/relay/media/flv-sender.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import type { TranscoderReport } from '#contract/relay/reports.ts'
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import type { TranscoderTrouble } from '#contract/entities/transcoder.ts'
import type { Ffmpeg } from '#server/domain/ingest/report.ts'
import { cardEncoderOf, makes, makesInSoftware, readsHevc } from '#server/domain/broadcasts/transcoders-live.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import { Hub } from '#server/relay/media/hub.ts'
import { Meter } from '#server/relay/media/meter.ts'
import { type CardFamily, cardFamilies } from '#server/relay/programs/cards.ts'
import type { Kept, KeepOptions, Programs } from '#server/relay/programs/programs.ts'
import { transcodeArguments } from './arguments.ts'
import type { Slots } from './slots.ts'

/** Resources that the transcoders of a node share. */
export interface TranscoderTools {
  readonly programs: Pick<Programs, 'ffmpeg' | 'keep'>
  /** Of the processor. */
  readonly slots: Slots
  /** Of the graphics card; default: none. */
  readonly cardSlots?: Slots | undefined
}

/** A program that ends twice within this time does not use the graphics card any more, milliseconds. */
const cardFailureMs = 60_000

export interface TranscoderOptions extends TranscoderTools {
  /** Input. */
  readonly source: Hub
  /** Queue limit of ffmpeg's input, bytes. */
  readonly limit: () => number
  /** Called once with the first packet of the output. */
  readonly onReady: () => void
}

export class Transcoder {
  /** Output. */
  readonly hub: Hub
  #desired: DesiredTranscoder
  readonly #options: TranscoderOptions
  #meter = new Meter(Date.now())
  #ffmpeg: Ffmpeg | null | undefined
  #kept: Kept | null = null
  /** The graphics card that encodes; null: the processor. */
  #card: CardFamily | null = null
  /** When the program last ended on the card, monotonic milliseconds. */
  #cardFailedAt: number | null = null
  #avoidsCard = false
  #giveBack: (() => void) | null = null
  /** Releases the pipes of the running program. */
  #letGo: (() => void) | null = null
  #trouble: TranscoderTrouble | null = null
  #restarts = 0
  #ready = false
  /** The running program has produced media. */
  #flows = false
  #since = Date.now()
  /** Positions of the source and of the output on one timeline. */
  #inAt = 0
  #outAt: number | null = null
  readonly #detach: () => void

  constructor(desired: DesiredTranscoder, options: TranscoderOptions) {
    this.#desired = desired
    this.#options = options
    this.hub = new Hub(options.source.gatherMs)
    this.#detach = options.source.attach({ take: ({ timestamp }) => void (this.#inAt = timestamp) })
    void options.programs.ffmpeg.then((found) => {
      this.#ffmpeg = found
      this.#begin()
    })
  }

  /** True when the output has begun. */
  get ready(): boolean {
    return this.#ready
  }

  /** Bitrate of the output, kbps; 0 while unknown. */
  get kbps(): number {
    return this.#meter.steady()
  }

  /** Restarts the program if the settings changed. */
  change(desired: DesiredTranscoder): void {
    const before = transcodeArguments(this.#desired, null)
    this.#desired = desired
    if (transcodeArguments(desired, null).join(' ') === before.join(' ')) return
    this.#end()
    this.#begin()
  }

  /** Reports the state, and starts the program if possible; call it each second. @param now wall clock, milliseconds */
  watch(now: number): TranscoderReport {
    if (!this.#kept) this.#begin()
    const { kbps } = this.#meter.sample(now)
    return {
      id: this.#desired.id,
      running: this.#flows,
      since: this.#since,
      reason: this.#flows ? null : this.#trouble,
      kbps,
      lagMs: this.#outAt === null ? 0 : Math.max(0, (this.#inAt - this.#outAt) | 0),
      restarts: this.#restarts,
      onCard: this.#card !== null,
    }
  }

  /** Ends the transcoder. */
  stop(): void {
    this.#detach()
    this.#end()
    this.#ffmpeg = null
  }

  #begin(): void {
    if (this.#kept || this.#ffmpeg === undefined) return
    this.#trouble = this.#whyNot(this.#ffmpeg)
    if (this.#trouble || !this.#ffmpeg) return
    if (!this.#takeSlot(this.#ffmpeg)) return void (this.#trouble = 'no_slot')
    this.#kept = this.#options.programs.keep({
      args: transcodeArguments(this.#desired, this.#card),
      attach: (io) => this.#attach(io),
      onState: ({ running, starts, failure }) => {
        if (running && starts > 1) this.#restarts++
        if (failure === null) return
        this.#trouble = 'crashed'
        if (this.#card !== null) this.#countCardFailure()
      },
    })
  }

  /** Takes a slot of the graphics card, else of the processor. B-frames are encoded by the processor. */
  #takeSlot(ffmpeg: Ffmpeg): boolean {
    const { codec, bFrames } = this.#desired
    const inSoftware = makesInSoftware(ffmpeg, codec)
    const encoder = this.#avoidsCard || (bFrames && inSoftware) ? null : cardEncoderOf(ffmpeg, codec)
    const family = cardFamilies.find((one) => encoder?.endsWith(one))
    this.#giveBack = (family && this.#options.cardSlots?.take()) ?? null
    this.#card = this.#giveBack && family ? family : null
    if (!this.#giveBack && inSoftware) this.#giveBack = this.#options.slots.take()
    return this.#giveBack !== null
  }

  /** After two failures in a minute the processor encodes until the end of the broadcast, if it can. */
  #countCardFailure(): void {
    const now = performance.now()
    const isSecond = this.#cardFailedAt !== null && now - this.#cardFailedAt < cardFailureMs
    this.#cardFailedAt = now
    if (!isSecond || !this.#ffmpeg || !makesInSoftware(this.#ffmpeg, this.#desired.codec)) return
    this.#avoidsCard = true
    this.#end()
    this.#begin()
  }

  #whyNot(ffmpeg: Ffmpeg | null): TranscoderTrouble | null {
    if (!ffmpeg) return 'no_ffmpeg'
    if (!makes(ffmpeg, this.#desired.codec)) return 'no_codec'
    const { videoCodec } = this.#options.source.facts()
    return videoCodec === 'hvc1' && !readsHevc(ffmpeg) ? 'no_codec' : null
  }

  #end(): void {
    this.#letGo?.()
    void this.#kept?.stop()
    this.#kept = null
    this.#giveBack?.()
    this.#giveBack = null
    this.#card = null
    this.#flow(false)
  }

  /** Connects a started program. @returns a function that releases it */
  #attach({ stdin, stdout }: Parameters<KeepOptions['attach']>[0]): () => void {
    const input = sendFlv(this.#options.source, stdin, this.#options.limit)
    const reader = new FlvReader()
    this.hub.cut()
    const take = (bytes: Buffer) => {
      try {
        for (const message of reader.read(bytes)) this.#emit(message)
      } catch {
        // The output is not FLV: without a reader the program exits and is restarted.
        stdout.destroy()
      }
    }
    stdout.on('data', take)
    let over = false
    const letGo = () => {
      if (over) return
      over = true
      // Drains the output of a program that is ending.
      stdout.off('data', take).resume()
      input.close()
      this.#flow(false)
    }
    this.#letGo = letGo
    return letGo
  }

  #emit(message: Message): void {
    this.#meter.add(message)
    this.#outAt = message.timestamp
    this.hub.push([message], Date.now())
    this.#flow(this.#kept !== null)
    if (this.#ready || this.hub.group().length === 0) return
    this.#ready = true
    this.#options.onReady()
  }

  #flow(is: boolean): void {
    if (is === this.#flows) return
    this.#flows = is
    this.#since = Date.now()
  }
}
