// Preview fan-out: one upstream per project, opened on demand.
import { sendFlv } from '#server/relay/media/flv-sender.ts'
import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { AppError } from '#server/core/errors.ts'
import type { Watching } from '#server/domain/broadcasts/preview-tickets.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import { Hub } from '#server/relay/media/hub.ts'
import type { Outlet } from '#server/relay/media/outlet.ts'

/** Viewers of one project. */
const viewersMax = 20
/** Queue of a viewer: 2.5 s at 6 Mbps. */
const queueBytesMax = 2 * 1024 * 1024
/** The upstream stays open this long without viewers, so that a reloaded page starts immediately. */
const lingerMs = 5_000
/** Interval of checks, and how long a viewer may drop frames before it is closed. */
const defaults = { checkMs: 5_000, tooSlowMs: 10_000 }

interface Viewer {
  readonly watching: Watching
  readonly outlet: Outlet
  slowSince: number | null
}

export interface PreviewOptions {
  /** Opens the upstream at the node on air. @throws when there is none */
  readonly open: (projectId: number) => Promise<WebSocket>
  /** Returns whether a viewer still has access. Called at each check. A session may expire without a write. */
  readonly mayWatch: (watching: Watching) => Promise<boolean>
  /** Default: checks each 5 s, closes slow viewers after 10 s. */
  readonly timing?: typeof defaults
}

export interface Previews {
  /** Streams the preview until either side ends it. @throws AppError without an upstream */
  watch(watching: Watching, response: ServerResponse, begin: () => void): Promise<void>
  /** Ends viewers that lost access. */
  recheck(): void
  close(): void
}

/** Creates the previews. */
export function createPreviews({ open, mayWatch, timing = defaults }: PreviewOptions): Previews {
  const sources = new Map<number, Promise<Source>>()

  function sourceOf(projectId: number): Promise<Source> {
    const known = sources.get(projectId)
    if (known) return known
    const forget = () => void sources.delete(projectId)
    const opening = open(projectId).then((socket) => new Source(socket, forget))
    sources.set(projectId, opening)
    opening.catch(forget)
    return opening
  }

  const recheck = () => {
    for (const source of sources.values())
      void source.then((one) => one.check(mayWatch, timing.tooSlowMs)).catch(() => undefined)
  }
  const timer = setInterval(recheck, timing.checkMs)

  return {
    recheck,
    async watch(watching, response, begin) {
      const source = await sourceOf(watching.projectId).catch(() => {
        throw new AppError(503, 'NoPicture_now')
      })
      if (source.viewers.size >= viewersMax) throw new AppError(503, 'TooManyViewers')
      if (response.destroyed) return source.idle()
      begin()
      source.add(watching, response)
    },
    close() {
      clearInterval(timer)
      for (const source of sources.values()) void source.then((one) => one.cut()).catch(() => undefined)
    },
  }
}

class Source {
  readonly viewers = new Map<ServerResponse, Viewer>()
  readonly #socket: WebSocket
  readonly #hub = new Hub()
  #linger: NodeJS.Timeout | undefined

  constructor(socket: WebSocket, onEnd: () => void) {
    this.#socket = socket
    const reader = new FlvReader()
    socket.on('message', (bytes: Buffer) => {
      try {
        this.#hub.push(reader.read(bytes), Date.now())
      } catch {
        socket.terminate()
      }
    })
    socket.resume()
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      onEnd()
      clearTimeout(this.#linger)
      this.#endViewers()
    })
  }

  add(watching: Watching, response: ServerResponse): void {
    clearTimeout(this.#linger)
    const outlet = sendFlv(this.#hub, response, () => queueBytesMax)
    this.viewers.set(response, { watching, outlet, slowSince: null })
    response.on('error', () => undefined)
    response.on('close', () => {
      outlet.close()
      this.viewers.delete(response)
      this.idle()
    })
    if (this.#socket.readyState !== this.#socket.OPEN) response.end()
  }

  /** Closes the upstream after a while without viewers. */
  idle(): void {
    clearTimeout(this.#linger)
    if (this.viewers.size === 0) this.#linger = setTimeout(() => this.#socket.close(), lingerMs).unref()
  }

  /** Closes viewers that lost access, and slow ones. */
  async check(mayWatch: PreviewOptions['mayWatch'], tooSlowMs: number): Promise<void> {
    const now = Date.now()
    for (const [response, viewer] of this.viewers) {
      viewer.slowSince = viewer.outlet.dropping ? (viewer.slowSince ?? now) : null
      const slow = viewer.slowSince !== null && now - viewer.slowSince >= tooSlowMs
      if (slow || !(await mayWatch(viewer.watching))) response.destroy()
    }
  }

  /** Closes everything immediately. */
  cut(): void {
    for (const response of this.viewers.keys()) response.destroy()
    this.#socket.terminate()
  }

  #endViewers(): void {
    for (const response of this.viewers.keys()) response.end()
  }
}
