// Stream of a browser, which the service forwards: a publication like that of an RTMP encoder.
import type { WebSocket } from 'ws'
import type { BrowserEnd, BrowserText } from '#contract/entities/browser-ingest.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { ProtocolError } from '#server/relay/rtmp/protocol-error.ts'
import { browserEncoder, type BrowserMedia, BrowserReader } from './browser-packets.ts'
import { BrowserSound } from './browser-sound.ts'
import { Interleave } from './interleave.ts'
import {
  type IngestSession,
  type KeyRequest,
  type LinkFigures,
  plainLink,
  type Publication,
  type PublishRequest,
} from './publication.ts'
import { refusal, type Refused } from './refusal.ts'

export interface BrowserOptions {
  readonly projectId: number
  /** Address of the client. */
  readonly address: string
  readonly programs: Pick<Programs, 'ffmpeg' | 'keep'>
  /** Returns the stream key of the project. */
  readonly keyOf: (request: KeyRequest) => Promise<{ readonly key: string } | Refused>
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  /** Time from the admission to the video header, milliseconds. Default: 10 s. */
  readonly headerMs?: number | undefined
}

const headerMs = 10_000
/** ffmpeg starts within seconds, and its sound is about 200 ms behind. */
const interleaving = { firstMs: 3_000, waitMs: 700 }
/** The client stopped the stream itself: the service closes the connection with this code. */
const leftCode = 1000
const policyCode = 1008
const later: Refused = { refuse: 'The service cannot be asked now. Try again in a moment', code: refusal.down }

/** Receives the stream of a connection. Invalid data closes this connection only. @returns a function that ends it */
export function serveBrowser(socket: WebSocket, options: BrowserOptions): () => void {
  const session = new BrowserSession(socket, options)
  void session.begin()
  // The session's own listener knows the close code, and runs after the one that calls this.
  return () => queueMicrotask(() => session.close(false))
}

class BrowserSession implements IngestSession {
  readonly #socket: WebSocket
  readonly #options: BrowserOptions
  readonly #reader = new BrowserReader()
  readonly #sound: BrowserSound
  #publication: Publication | null = null
  #timer: NodeJS.Timeout | undefined
  #received = 0
  #isClosed = false
  readonly #interleave: Interleave

  constructor(socket: WebSocket, options: BrowserOptions) {
    this.#socket = socket
    this.#options = options
    this.#interleave = new Interleave(interleaving, (message) => this.#publication?.take(message))
    this.#sound = new BrowserSound(options.programs, (message) => this.#interleave.push(message))
    socket.on('error', () => socket.terminate())
    socket.on('close', (code) => this.close(code === leftCode))
    socket.on('message', (bytes: Buffer, isBinary) => this.#take(bytes, isBinary))
  }

  /** Requests the admission. */
  async begin(): Promise<void> {
    const { projectId, address, keyOf, admit } = this.#options
    const found = await keyOf({ mode: 'publish', number: projectId, address }).catch(() => later)
    if (this.#isClosed) return
    if ('refuse' in found) return this.#end(reasonOf(found), found.refuse)
    const request = { app: 'live', key: found.key, encoder: browserEncoder, address }
    const verdict = await admit(request, this).catch(() => later)
    if (this.#isClosed) return 'take' in verdict ? verdict.ended('ended') : undefined
    if ('refuse' in verdict) return this.#end(reasonOf(verdict), verdict.refuse)
    this.#publication = verdict
    this.#timer = setTimeout(() => this.#invalid('No video came'), this.#options.headerMs ?? headerMs)
    this.#send({ type: 'live' })
  }

  end(code: string, message: string): void {
    this.#publication = null
    // A stream that the server ends without a refusal may come again: it is upgraded, or the project moved.
    this.#end(code === 'NetStream.Publish.BadName' ? 'refused' : 'later', message)
  }

  received(): number {
    return this.#received
  }

  link(): LinkFigures {
    return plainLink()
  }

  /** The connection has closed. @param isLeft the client stopped the stream */
  close(isLeft: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    void this.#sound.stop()
    this.#publication?.ended(isLeft ? 'unpublish' : 'ended')
    this.#publication = null
  }

  #take(bytes: Buffer, isBinary: boolean): void {
    if (this.#isClosed) return
    this.#received += bytes.length
    try {
      if (!isBinary) throw new ProtocolError('The client sent text')
      // Media before the admission is dropped.
      if (this.#publication) this.#use(this.#reader.read(bytes))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#invalid(error.message)
    }
  }

  #use(media: BrowserMedia): void {
    if (this.#reader.hasVideo) clearTimeout(this.#timer)
    if (media.type === 'sound') void this.#beginSound(media)
    else if (media.type === 'samples') this.#sound.take(media.packet)
    else
      for (const message of media.messages) {
        if (message.type === messageType.audio) this.#interleave.begin()
        this.#interleave.push(message)
      }
  }

  async #beginSound({ sound }: BrowserMedia & { type: 'sound' }): Promise<void> {
    this.#interleave.begin()
    const ffmpeg = await this.#options.programs.ffmpeg
    if (this.#isClosed) return
    if (!ffmpeg) return this.#end('sound', 'The server has no ffmpeg, which the sound of this browser needs')
    this.#sound.begin(sound)
  }

  #invalid(words: string): void {
    this.#end('invalid', words)
  }

  #end(reason: BrowserEnd, words: string): void {
    if (this.#isClosed) return
    this.#send({ type: 'end', reason, words })
    this.#socket.close(policyCode, closingText(words))
    this.close(false)
  }

  #send(text: BrowserText): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(text))
  }
}

/** Limits a text to the 123 bytes of a closing frame (RFC 6455, 5.5), which holds letters of other alphabets as several. */
const closingText = (words: string): string => words.replaceAll(/[^ -~]/g, '?').slice(0, 120)

const reasonOf = ({ code }: Refused): BrowserEnd =>
  code === refusal.conflict ? 'conflict' : code === refusal.down || code === refusal.overload ? 'later' : 'refused'
