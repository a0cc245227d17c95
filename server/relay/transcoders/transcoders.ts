// The transcoders of one project on air.
import type { TranscoderReport } from '#contract/relay/reports.ts'
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import { Transcoder, type TranscoderTools } from './transcoder.ts'

export interface TranscodersOptions {
  readonly source: Hub
  readonly limit: () => number
  /** Something came out of one for the first time: who waits for it may begin. */
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

  /** Brings them to what is wanted. */
  update(wishes: readonly DesiredTranscoder[]): void {
    for (const [id, transcoder] of this.#all) {
      if (wishes.some((wish) => wish.id === id)) continue
      transcoder.stop()
      this.#all.delete(id)
    }
    const { source, limit, onReady } = this.#options
    for (const wish of wishes) {
      const onFirst = () => onReady(wish.id)
      const known = this.#all.get(wish.id)
      if (known) known.change(wish)
      else this.#all.set(wish.id, new Transcoder(wish, { ...this.#tools, source, limit, onReady: onFirst }))
    }
  }

  /** What comes out of one; undefined when it is not wanted. */
  hubOf(id: number): Hub | undefined {
    return this.#all.get(id)?.hub
  }

  /** What comes out of it, kilobits per second; 0 as long as nobody knows. */
  kbpsOf(id: number): number {
    return this.#all.get(id)?.kbps ?? 0
  }

  /** Whether something has come out of it. */
  isReady(id: number): boolean {
    return this.#all.get(id)?.ready ?? false
  }

  /** Looks after them; call it each second. */
  watch(now: number): TranscoderReport[] {
    return [...this.#all.values()].map((transcoder) => transcoder.watch(now))
  }

  stop(): void {
    this.update([])
  }
}
