// Delayed streams of one project: one delay line per source.
import { DelayLine } from './delay-line.ts'
import type { Hub } from './hub.ts'

export class Delays {
  readonly #lines = new Map<Hub, DelayLine>()
  readonly #delayed = new Map<number, { readonly hub: Hub; readonly line: DelayLine; readonly delayMs: number }>()

  /** Returns the delayed stream for a destination. */
  behind(source: Hub, { id, delayMs }: { readonly id: number; readonly delayMs: number }): Hub {
    const line = this.#lines.get(source) ?? new DelayLine(source)
    this.#lines.set(source, line)
    const hub = line.behind(delayMs)
    this.#delayed.set(id, { hub, line, delayMs })
    return hub
  }

  /** Returns true when a destination has a delay. */
  has(id: number): boolean {
    return this.#delayed.has(id)
  }

  /** Calls back with the first packet of a delayed stream. @returns true when the destination has to wait for it */
  waitFor(id: number, then: () => void): boolean {
    const hub = this.#delayed.get(id)?.hub
    if (!hub || hub.headers().length > 0) return false
    const detach = hub.attach({
      take() {
        detach()
        then()
      },
    })
    return true
  }

  /** Ends the delays that none of these destinations has. */
  keep(destinations: readonly { readonly id: number; readonly delayMs?: number | undefined }[]): void {
    for (const [id, { delayMs }] of this.#delayed)
      if (!destinations.some((one) => one.id === id && one.delayMs === delayMs)) this.#delayed.delete(id)
    for (const [source, line] of this.#lines) {
      const used = [...this.#delayed.values()].filter((delayed) => delayed.line === line)
      line.keep(new Set(used.map(({ delayMs }) => delayMs)))
      if (used.length === 0) this.#lines.delete(source)
    }
  }

  /** Returns the milliseconds until all packets have been replayed everywhere. */
  left(): number {
    return Math.max(0, ...[...this.#lines.values()].map((line) => line.left()))
  }

  close(): void {
    this.keep([])
  }
}
