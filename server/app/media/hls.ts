// HLS of projects on air, for players with a pull key: one connection from the node per project, however many fetch, and
// none when nobody does. Files are kept in memory, and only those that the playlist names or has just named.
import type { PullReport } from '#contract/relay/reports.ts'
import type { WebSocket } from 'ws'
import { AppError } from '#server/core/errors.ts'
import type { Admitted } from '#server/domain/broadcasts/pulls.ts'

/** What players ask for. */
export const hlsPlaylist = 'index.m3u8'
const fileName = /^(index\.m3u8|\d{1,15}\.ts)$/
/** Files that a slow player may still ask for, beside those of the playlist. */
const filesKept = 12
/** Players begin three files before the end of a stream that runs (RFC 8216, 6.3.3), and some do not begin with fewer. */
const filesFirst = 3
/** Files are as long as groups of pictures: after so long a playlist has to do with what there is. */
const firstFilesMs = 12_000
/** Nobody asks for so long: the node need not go on. */
const idleMs = 20_000
/** A player asks every few seconds; one that did not for so long has gone. */
const viewerMs = 12_000
const viewersMax = 100
const lookMs = 2_000

export interface Hls {
  /**
   * A file of a project, the playlist as soon as there is one.
   * @param viewer tells one player from another
   * @returns null where there is no such file
   * @throws AppError when there is nothing to send, or too many ask
   */
  file(admitted: Admitted, viewer: string, name: string): Promise<Buffer | null>
  /** How much the keys of a project are used. */
  facts(projectId: number): readonly PullReport[]
  close(): void
}

/** @param open asks the node that has the project on air; throws when there is none, or it does not answer */
export function createHls(open: (projectId: number) => Promise<WebSocket>): Hls {
  const sources = new Map<number, Source>()
  const timer = setInterval(() => {
    for (const source of sources.values()) source.look(Date.now())
  }, lookMs)
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
      // A file without a playlist is one of a source that has gone.
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
  /** There is a playlist; rejects when there will be none. */
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
    // Whoever waits hears of it.
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

  /** @throws AppError when too many ask */
  count(keyId: number, viewer: string, now: number): void {
    this.#askedAt = now
    const { viewers } = this.#use(keyId)
    if (!viewers.has(viewer) && viewers.size >= viewersMax)
      throw new AppError(503, 'TooManyViewers', 'Too many people fetch it')
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

  /** Forgets who has gone, and ends when nobody is left. */
  look(now: number): void {
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
    this.#ready.reject(new AppError(503, 'NoPicture', 'There is nothing to fetch now. Try again in a moment'))
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
    // The playlist is one of them.
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
