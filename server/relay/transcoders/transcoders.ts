// The transcoders of one project on air.
import type { TranscoderReport } from '#contract/relay/reports.ts'
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import { Transcoder, type TranscoderTools } from './transcoder.ts'

export interface TranscodersOptions {
  readonly source: Hub
  readonly limit: () => number
  /** Called when the output of a transcoder begins. */
  readonly onReady: (id: number) => void
}

export class Transcoders {
  readonly #tools: TranscoderTools
  readonly #options: TranscodersOptions
  readonly #all = new Map<number, Transcoder>()

  constructor(tools: TranscoderTools, options: TranscodersOptions) {
    this.#tools = tools
    this.#options = options
  }

  /** Applies the desired state. */
  update(desired: readonly DesiredTranscoder[]): void {
    for (const [id, transcoder] of this.#all) {
      if (desired.some((one) => one.id === id)) continue
      transcoder.stop()
      this.#all.delete(id)
    }
    const { source, limit, onReady } = this.#options
    for (const one of desired) {
      const onFirst = () => onReady(one.id)
      const known = this.#all.get(one.id)
      if (known) known.change(one)
      else this.#all.set(one.id, new Transcoder(one, { ...this.#tools, source, limit, onReady: onFirst }))
    }
  }

  /** Returns the output of a transcoder; undefined if it is not desired. */
  hubOf(id: number): Hub | undefined {
    return this.#all.get(id)?.hub
  }

  /** Returns the bitrate of the output, kbps; 0 while unknown. */
  kbpsOf(id: number): number {
    return this.#all.get(id)?.kbps ?? 0
  }

  /** Returns true when the output of a transcoder has begun. */
  isReady(id: number): boolean {
    return this.#all.get(id)?.ready ?? false
  }

  /** Returns the reports of all transcoders; call it each second. */
  watch(now: number): TranscoderReport[] {
    return [...this.#all.values()].map((transcoder) => transcoder.watch(now))
  }

  stop(): void {
    this.update([])
  }
}
