// One remote source: ffmpeg fetches the stream, and this node takes it like that of an encoder.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import type { DesiredRemote, RemoteState } from '#contract/entities/remote-source.ts'
import {
  type IngestSession,
  plainLink,
  type Publication,
  type PublishRequest,
} from '#server/relay/ingest/publication.ts'
import type { Refused } from '#server/relay/ingest/refusal.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Child } from '#server/relay/programs/child.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import { openRoute, type Route, type RouteOptions } from './routes.ts'

/** Media that waits for the admission, bytes. */
const waitingBytesMax = 8 * 1024 * 1024
const retries: Backoff = { firstMs: 1_000, mostMs: 60_000, jitter: 0.3 }
/** A run that sent media for so long begins the waits anew, milliseconds. */
const wellMs = 30_000
/** Without media for so long the program is ended, milliseconds: ffmpeg itself waits for most servers forever. */
const silentMs = 20_000
/** Address space of ffmpeg, bytes: a playlist that does not end fills the memory within seconds. */
const memoryMax = 1024 ** 3
const silentWords = 'The source sent nothing for 20 seconds'
const wordsMax = 300

export interface RemoteSourceOptions extends RouteOptions {
  readonly programs: Pick<Programs, 'ffmpeg' | 'start'>
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  readonly onState: (state: RemoteState, words: string) => void
}

/**
 * Formats of streams. ffmpeg decodes the beginning of what it reads, and a picture of 3 MB may have 30,000 × 30,000 pixels, 4 GB of
 * memory; other playlists would lead it to further addresses.
 */
const formats = 'concat,hls,mpegts,flv,live_flv,mov,matroska,webm,ogg,aac,mp3,avi,rtsp,webvtt'

/** Returns the error of ffmpeg without its components, their addresses in memory and the pipe of the list: words for users. */
export const plainWords = (said: string): string =>
  said
    .replaceAll(/\[[^\]]* @ 0x[0-9a-f]+\] /g, '')
    .replaceAll(/Impossible to open '[^']*' (?=\S)/g, '')
    .replaceAll('pipe:0: ', '')

/** @returns arguments of ffmpeg; the address comes by standard input, because every user of the machine can read arguments */
export const remoteArguments = ({ isFile, protocols }: Route, sound: 'copy' | 'aac'): string[] =>
  [
    `-hide_banner -loglevel error -nostats${isFile ? ' -re' : ''}`,
    `-protocol_whitelist ${protocols} -format_whitelist ${formats} -f concat -safe 0 -auto_convert 0 -i pipe:0`,
    `-map 0:v:0? -map 0:a:0? -c:v copy -c:a ${sound}${sound === 'aac' ? ' -b:a 160k -ar 48000 -ac 2' : ''}`,
    '-max_interleave_delta 500000 -f flv -fflags +bitexact -flvflags no_duration_filesize -flush_packets 1 pipe:1',
  ].flatMap((part) => part.split(' '))

/** Returns the list for the `concat` reader of ffmpeg. */
export const remoteScript = ({ url, options }: Route): string =>
  [
    'ffconcat version 1.0',
    `file ${quoted(url)}`,
    ...Object.entries(options).map(([name, value]) => `option ${name} ${quoted(value)}`),
    '',
  ].join('\n')

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export class RemoteSource {
  readonly desired: DesiredRemote
  readonly #options: RemoteSourceOptions
  #timer: NodeJS.Timeout | undefined
  #silence: NodeJS.Timeout | undefined
  #child: Child | null = null
  #route: Route | null = null
  #publication: Publication | null = null
  #received = 0
  #isSilent = false
  #failures = 0
  /** Sound that FLV cannot contain is encoded. */
  #sound: 'copy' | 'aac' = 'copy'
  #isOver = false

  constructor(desired: DesiredRemote, options: RemoteSourceOptions) {
    this.desired = desired
    this.#options = options
    void this.#run()
  }

  /** Ends the source, as an encoder ends its stream. */
  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#publication?.ended('unpublish')
    this.#publication = null
    this.#endRun()
  }

  async #run(): Promise<void> {
    this.#options.onState('connecting', '')
    const route = await openRoute(this.desired.url, this.#options).catch((error: Error) => error)
    if (route instanceof Error) return this.#fail(route.message)
    if (this.#isOver || !(await this.#options.programs.ffmpeg)) {
      route.close()
      return this.#isOver ? undefined : this.#fail('ffmpeg is missing on this server')
    }
    this.#route = route
    const begun = performance.now()
    const child = this.#options.programs.start({
      args: remoteArguments(route, this.#sound),
      env: { ...route.env, MALLOC_ARENA_MAX: '2' },
      limits: { memory: memoryMax },
      secrets: [this.desired.url, route.url, new URL(this.desired.url).search.slice(1)].filter((one) => one !== ''),
    })
    this.#child = child
    this.#received = 0
    this.#isSilent = false
    const sends = this.#read(child)
    child.stdin.end(remoteScript(route))
    const { said, code } = await child.over
    clearTimeout(this.#silence)
    if (this.#child !== child) return
    this.#publication?.ended('socket')
    this.#publication = null
    const failure = this.#isSilent ? silentWords : route.failure()
    this.#endRun()
    if (sends.media && performance.now() - begun > wellMs) this.#failures = 0
    if (!sends.media) this.#sound = this.#sound === 'copy' ? 'aac' : 'copy'
    // A file that ended begins again.
    if (sends.media && code === 0) return void (this.#timer = setTimeout(() => void this.#run(), backoffMs(retries, 1)))
    this.#fail(failure || plainWords(said) || `ffmpeg ended with code ${code}`)
  }

  /** Reads the output of a program. @returns whether it sent media */
  #read(child: Child): { media: boolean } {
    const sends = { media: false }
    const flv = new FlvReader()
    let waiting: Message[] | null = []
    let bytes = 0
    const take = (message: Message) => {
      if (!waiting) return this.#publication?.take(message)
      bytes += message.payload.length
      if (bytes <= waitingBytesMax) waiting.push(message)
    }
    const admitted = (publication: Publication) => {
      this.#publication = publication
      for (const message of waiting ?? []) publication.take(message)
      waiting = null
      this.#options.onState('live', '')
    }
    this.#watch(child)
    child.stdout.on('data', (piece: Buffer) => {
      this.#received += piece.length
      this.#watch(child)
      try {
        for (const message of flv.read(piece)) {
          if (!sends.media) void this.#admit(child, admitted)
          sends.media = true
          take(message)
        }
      } catch {
        child.stop()
      }
    })
    return sends
  }

  #watch(child: Child): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      this.#isSilent = true
      child.stop()
    }, silentMs)
  }

  async #admit(child: Child, admitted: (publication: Publication) => void): Promise<void> {
    const { hostname } = new URL(this.desired.url)
    const session: IngestSession = {
      end: (_code, message) => this.#end(child, message),
      received: () => this.#received,
      link: () => plainLink(),
    }
    const request = { app: 'remote', key: this.desired.key, encoder: 'Remote source', address: hostname }
    const answer = await this.#options.admit(request, session)
    if (this.#child !== child) {
      if (!('refuse' in answer)) answer.ended('socket')
    } else if ('refuse' in answer) {
      this.#endRun()
      this.#fail(answer.refuse)
    } else admitted(answer)
  }

  /** The relay ended the session: its broadcast was ended, or the key was replaced. */
  #end(child: Child, message: string): void {
    if (this.#child !== child) return
    this.#publication = null
    this.#endRun()
    this.#fail(message)
  }

  /** Ends the program and its way. */
  #endRun(): void {
    clearTimeout(this.#silence)
    const child = this.#child
    this.#child = null
    child?.stop()
    this.#route?.close()
    this.#route = null
  }

  #fail(words: string): void {
    if (this.#isOver) return
    this.#options.onState('failed', words.slice(0, wordsMax))
    this.#timer = setTimeout(() => void this.#run(), backoffMs(retries, ++this.#failures))
  }
}
