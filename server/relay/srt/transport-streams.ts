// MPEG-TS outputs of a project: one for each hub that has SRT players or destinations.
import type { TransportSink } from '#server/relay/ingest/playback.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { type TransportFeed, TransportStream } from './transport-stream.ts'

export class TransportStreams {
  readonly #programs: Pick<Programs, 'keep' | 'ffmpeg'>
  readonly #limit: () => number
  readonly #streams = new Map<Hub, TransportStream>()

  /** @param limit queue limit of a player and of ffmpeg, bytes */
  constructor(programs: Pick<Programs, 'keep' | 'ffmpeg'>, limit: () => number) {
    this.#programs = programs
    this.#limit = limit
  }

  /** The ffmpeg of the node; null: there is none, and no stream can be made. */
  get ffmpeg(): Programs['ffmpeg'] {
    return this.#programs.ffmpeg
  }

  /** Adds a receiver of the stream of a hub. */
  add(hub: Hub, sink: TransportSink): TransportFeed {
    const stream =
      this.#streams.get(hub) ??
      new TransportStream(hub, this.#programs, this.#limit, () => void this.#streams.delete(hub))
    this.#streams.set(hub, stream)
    return stream.add(sink)
  }

  /** Stops ffmpeg of all hubs. */
  end(): void {
    for (const stream of this.#streams.values()) stream.end()
    this.#streams.clear()
  }
}
