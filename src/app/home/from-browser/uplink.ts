// Connection of a stream to the service: opens it with a ticket, and again after it broke.
import * as z from 'zod/mini'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import {
  browserFlags,
  browserHeadBytes,
  browserProtocol,
  BrowserText,
  type BrowserEnd,
} from '#contract/entities/browser-ingest.ts'
import { toApiError } from '#src/api/api-error.ts'

/** A message. Time in milliseconds. */
export interface Part {
  readonly kind: number
  readonly time: number
  readonly isKey?: boolean
  readonly isHeader?: boolean
  readonly payload: Uint8Array
}

/** Reason of the end of a stream. `ticket`: the service refused one, with this error. `unreachable`: no connection for a minute. */
export type UplinkEnd =
  | { readonly by: 'service'; readonly reason: BrowserEnd; readonly words: string }
  | { readonly by: 'ticket'; readonly error: unknown }
  | { readonly by: 'unreachable' }

export interface UplinkOptions {
  readonly openTicket: () => Promise<{ readonly url: string; readonly ticket: string }>
  /** The service takes media: headers and a keyframe go first. */
  readonly onLive: () => void
  readonly onKeyframe: () => void
  /** The connection broke. It is being opened again. */
  readonly onBroken: () => void
  readonly onEnd: (end: UplinkEnd) => void
}

const retries: Backoff = { firstMs: 500, mostMs: 4_000, jitter: 0.5 }
/** Channels wait for a lost encoder about this long. */
const patienceMs = 60_000
/** Reasons after which another attempt may succeed. A broken connection occupies the project for two seconds. */
const passing: ReadonlySet<BrowserEnd> = new Set(['later', 'ticket', 'no_node', 'full', 'conflict'])
/** Close code of a client that ends its stream. */
const leftCode = 1000

/** Writes a message. */
export function writePart({ kind, time, isKey = false, isHeader = false, payload }: Part): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(browserHeadBytes + payload.length)
  bytes[0] = kind
  bytes[1] = (isKey ? browserFlags.key : 0) | (isHeader ? browserFlags.header : 0)
  new DataView(bytes.buffer).setUint32(2, Math.max(0, Math.round(time)))
  bytes.set(payload, browserHeadBytes)
  return bytes
}

/** Reads a text of the service; null for anything else. */
function readText(data: unknown): BrowserText | null {
  try {
    const read = z.safeParse(BrowserText, JSON.parse(String(data)))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

export class Uplink {
  readonly #options: UplinkOptions
  #socket: WebSocket | null = null
  #isLive = false
  #isClosed = false
  #hasBeenLive = false
  #failures = 0
  /** Beginning of the attempts, milliseconds; null while the stream is live. */
  #since: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: (BrowserText & { type: 'end' }) | null = null

  constructor(options: UplinkOptions) {
    this.#options = options
    void this.#open()
  }

  /** Bytes in the send queue. */
  get queued(): number {
    return this.#socket?.bufferedAmount ?? 0
  }

  /** Sends a message; drops it while the stream is not live. */
  send(part: Part): void {
    if (this.#isLive && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(writePart(part))
  }

  /** Ends the stream. */
  close(): void {
    this.#isClosed = true
    this.#isLive = false
    clearTimeout(this.#timer)
    this.#socket?.close(leftCode)
  }

  async #open(): Promise<void> {
    this.#since ??= performance.now()
    try {
      const { url, ticket } = await this.#options.openTicket()
      if (!this.#isClosed) this.#connect(url, ticket)
    } catch (error) {
      if (this.#isClosed) return
      const { isTransient } = toApiError(error)
      if (isTransient) this.#retry()
      else this.#end({ by: 'ticket', error })
    }
  }

  #connect(url: string, ticket: string): void {
    const socket = new WebSocket(url, [browserProtocol, ticket])
    this.#socket = socket
    this.#last = null
    socket.addEventListener('message', ({ data }) => this.#take(readText(data)))
    socket.addEventListener('close', () => {
      this.#isLive = false
      if (this.#isClosed) return
      const last = this.#last
      if (last && !(passing.has(last.reason) && (this.#hasBeenLive || last.reason === 'later')))
        return this.#end({ by: 'service', reason: last.reason, words: last.words })
      this.#retry()
    })
  }

  #take(text: BrowserText | null): void {
    if (text?.type === 'end') this.#last = text
    if (text?.type === 'keyframe') this.#options.onKeyframe()
    if (text?.type !== 'live') return
    this.#isLive = this.#hasBeenLive = true
    this.#failures = 0
    this.#since = null
    this.#options.onLive()
  }

  #retry(): void {
    if (this.#since === null) this.#options.onBroken()
    this.#since ??= performance.now()
    if (performance.now() - this.#since > patienceMs)
      return this.#end(this.#last ? { by: 'service', ...this.#last } : { by: 'unreachable' })
    this.#timer = setTimeout(() => void this.#open(), backoffMs(retries, ++this.#failures))
  }

  #end(end: UplinkEnd): void {
    this.#isClosed = true
    this.#options.onEnd(end)
  }
}
