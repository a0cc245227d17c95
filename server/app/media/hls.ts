// HLS for players with a pull key: one upstream per project, opened on demand. Keeps the files of the playlist, and recent
// ones, in memory.
import type { PullReport } from '#contract/relay/reports.ts'
import type { WebSocket } from 'ws'
import { AppError } from '#server/core/errors.ts'
import type { Admitted } from '#server/domain/broadcasts/pulls.ts'

/** Name of the playlist. */
export const hlsPlaylist = 'index.m3u8'
const fileName = /^(index\.m3u8|\d{1,15}\.ts)$/
/** Files that are kept for slow players after they left the playlist. */
const filesKept = 12
/** Players begin three files before the end of a stream that runs (RFC 8216, 6.3.3), and some do not begin with fewer. */
const filesFirst = 3
/** Segments are as long as a GOP. After this time the playlist is served with fewer of them. */
const firstFilesMs = 12_000
/** The upstream closes after this time without requests. */
const idleMs = 20_000
/** A player without requests for this long has stopped. */
const viewerMs = 12_000
const viewersMax = 100
const checkMs = 2_000

export interface Hls {
  /**
   * Returns a file of a project. Waits for the first playlist.
   * @param viewer identifies the player
   * @returns null for an unknown file
   * @throws AppError without an upstream, or with too many players
   */
  file(admitted: Admitted, viewer: string, name: string): Promise<Buffer | null>
  /** Returns the usage of a project's pull keys. */
  facts(projectId: number): readonly PullReport[]
  close(): void
}

/** Creates the HLS cache. @param open opens the upstream at the node on air; throws when there is none */
export function createHls(open: (projectId: number) => Promise<WebSocket>): Hls {
  const sources = new Map<number, Source>()
  const timer = setInterval(() => {
    for (const source of sources.values()) source.tend(Date.now())
  }, checkMs)
  timer.unref()

  function sourceOf(projectId: number): Source {
    const known = sources.get(projectId)
    if (known) return known
    const source = new Source(() => {
      if (sources.get(projectId) === source) sources.delete(projectId)
    })
    sources.set(projectId, source)
    source.begin(open(projectId))
    return source
  }

  return {
    async file({ projectId, keyId }, viewer, name) {
      if (!fileName.test(name)) return null
      // Without a playlist the upstream has closed.
      if (name !== hlsPlaylist && !sources.has(projectId)) return null
      const source = sourceOf(projectId)
      source.count(keyId, viewer, Date.now())
      if (name === hlsPlaylist) await source.ready
      const bytes = source.files.get(name) ?? null
      if (bytes) source.sent(keyId, bytes.length, Date.now())
      return bytes
    },
    facts: (projectId) => sources.get(projectId)?.facts(Date.now()) ?? [],
    close() {
      clearInterval(timer)
      for (const source of sources.values()) source.end()
    },
  }
}

interface Use {
  readonly viewers: Map<string, number>
  sent: { readonly at: number; readonly bytes: number }[]
}

class Source {
  readonly files = new Map<string, Buffer>()
  /** Resolves with the first playlist; rejects when the upstream closes before it. */
  readonly ready: Promise<void>
  readonly #ready = Promise.withResolvers<void>()
  readonly #onEnd: () => void
  readonly #uses = new Map<number, Use>()
  #askedAt = Date.now()
  #socket: WebSocket | null = null
  #ended = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.ready = this.#ready.promise
    // Callers of `file` handle the rejection.
    this.ready.catch(() => undefined)
  }

  begin(opening: Promise<WebSocket>): void {
    const timer = setTimeout(() => (this.files.has(hlsPlaylist) ? this.#ready.resolve() : this.end()), firstFilesMs)
    this.ready.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
    opening.then(
      (socket) => this.#take(socket),
      () => this.end(),
    )
  }

  /** Counts a request. @throws AppError with too many players */
  count(keyId: number, viewer: string, now: number): void {
    this.#askedAt = now
    const { viewers } = this.#use(keyId)
    if (!viewers.has(viewer) && viewers.size >= viewersMax) throw new AppError(503, 'TooManyViewers')
    viewers.set(viewer, now)
  }

  sent(keyId: number, bytes: number, at: number): void {
    this.#use(keyId).sent.push({ at, bytes })
  }

  facts(now: number): PullReport[] {
    return [...this.#uses].map(([id, { viewers, sent }]) => {
      const bytes = sent.reduce((sum, one) => (now - one.at < viewerMs ? sum + one.bytes : sum), 0)
      return { id, viewers: viewers.size, kbps: Math.round((bytes * 8) / viewerMs) }
    })
  }

  /** Removes players that stopped, and ends without players. */
  tend(now: number): void {
    for (const [id, use] of this.#uses) {
      for (const [viewer, at] of use.viewers) if (now - at >= viewerMs) use.viewers.delete(viewer)
      use.sent = use.sent.filter(({ at }) => now - at < viewerMs)
      if (use.viewers.size === 0) this.#uses.delete(id)
    }
    if (now - this.#askedAt >= idleMs) this.end()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#ready.reject(new AppError(503, 'NoPicture_now'))
    this.#onEnd()
    this.#socket?.close()
  }

  #take(socket: WebSocket): void {
    if (this.#ended) return socket.close()
    this.#socket = socket
    let name = ''
    socket.on('message', (bytes: Buffer, isBinary) => {
      if (isBinary) this.#keep(name, bytes)
      else name = bytes.toString('utf8')
    })
    socket.resume()
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.end())
  }

  #keep(name: string, bytes: Buffer): void {
    if (!fileName.test(name)) return
    this.files.delete(name)
    this.files.set(name, bytes)
    const old = [...this.files.keys()].filter((one) => one !== hlsPlaylist).slice(0, -filesKept)
    for (const one of old) this.files.delete(one)
    // The count includes the playlist.
    if (this.files.has(hlsPlaylist) && this.files.size > filesFirst) this.#ready.resolve()
  }

  #use(keyId: number): Use {
    const known = this.#uses.get(keyId)
    if (known) return known
    const use: Use = { viewers: new Map(), sent: [] }
    this.#uses.set(keyId, use)
    return use
  }
}
