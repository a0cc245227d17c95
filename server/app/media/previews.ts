// People who look at projects on air: one connection from the node per project, however many look, and none when nobody does.
import { sendFlv } from '#server/relay/media/flv-sender.ts'
import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { AppError } from '#server/core/errors.ts'
import type { Watching } from '#server/domain/broadcasts/preview-tickets.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import { Hub } from '#server/relay/media/hub.ts'
import type { Outlet } from '#server/relay/media/outlet.ts'

/** Of one project. */
const viewersMax = 20
/** What may wait for a viewer: of 6 Mbps, two seconds and a half. */
const queueBytesMax = 2 * 1024 * 1024
/** How long the node goes on when nobody looks: a page that is loaded again begins at once. */
const lingerMs = 5_000
/** A viewer who cannot follow for so long is sent away; the player may come back. */
const usual = { lookMs: 5_000, tooSlowMs: 10_000 }

interface Viewer {
  readonly watching: Watching
  readonly outlet: Outlet
  slowSince: number | null
}

export interface PreviewOptions {
  /** Asks the node that has the project on air. @throws when there is none, or it does not answer */
  readonly open: (projectId: number) => Promise<WebSocket>
  /** Asked every few seconds for everybody who looks. */
  readonly mayWatch: (watching: Watching) => Promise<boolean>
  /** Default: looked after each five seconds, sent away after ten. */
  readonly timing?: typeof usual
}

export interface Previews {
  /** Sends the picture until either side ends it. @throws AppError when there is none to send */
  watch(watching: Watching, response: ServerResponse, begin: () => void): Promise<void>
  close(): void
}

/** Makes what people look through. */
export function createPreviews({ open, mayWatch, timing = usual }: PreviewOptions): Previews {
  const sources = new Map<number, Promise<Source>>()

  function sourceOf(projectId: number): Promise<Source> {
    const known = sources.get(projectId)
    if (known) return known
    const forget = () => void sources.delete(projectId)
    const made = open(projectId).then((socket) => new Source(socket, forget))
    sources.set(projectId, made)
    made.catch(forget)
    return made
  }

  const timer = setInterval(() => {
    for (const source of sources.values())
      void source.then((one) => one.look(mayWatch, timing.tooSlowMs)).catch(() => undefined)
  }, timing.lookMs)

  return {
    async watch(watching, response, begin) {
      const source = await sourceOf(watching.projectId).catch(() => {
        throw new AppError(503, 'NoPicture', 'The relay does not send the picture now. Try again in a moment')
      })
      if (source.viewers.size >= viewersMax) throw new AppError(503, 'TooManyViewers', 'Too many people look at it')
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

  /** Hangs up after a while if nobody looks. */
  idle(): void {
    clearTimeout(this.#linger)
    if (this.viewers.size === 0) this.#linger = setTimeout(() => this.#socket.close(), lingerMs).unref()
  }

  /** Sends away who may not look any more, and who cannot follow. */
  async look(mayWatch: PreviewOptions['mayWatch'], tooSlowMs: number): Promise<void> {
    const now = Date.now()
    for (const [response, viewer] of this.viewers) {
      viewer.slowSince = viewer.outlet.dropping ? (viewer.slowSince ?? now) : null
      const slow = viewer.slowSince !== null && now - viewer.slowSince >= tooSlowMs
      if (slow || !(await mayWatch(viewer.watching))) response.destroy()
    }
  }

  /** The service goes down: it does not wait for anybody. */
  cut(): void {
    for (const response of this.viewers.keys()) response.destroy()
    this.#socket.terminate()
  }

  #endViewers(): void {
    for (const response of this.viewers.keys()) response.end()
  }
}
