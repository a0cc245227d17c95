// One ffmpeg that remuxes MPEG-TS to FLV: the picture with the main sound on one pipe, and each further sound on a pipe of its own.
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { FlvReader } from '#server/relay/media/flv.ts'
import { soundInTrack } from '#server/relay/media/tracks.ts'
import type { Kept, Programs } from '#server/relay/programs/programs.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { Braid } from './braid.ts'

/** A further sound: its PID in the transport stream, and its number as a track. */
export interface FurtherSound {
  readonly pid: number
  readonly track: number
}

/** Copies the media without decoding it, and keeps its timestamps so that they continue after a restart. */
const input =
  '-hide_banner -loglevel error -nostats -copyts -fflags +discardcorrupt -analyzeduration 1M -f mpegts -i pipe:0'
// Without ffmpeg's own name in the encoder field.
const output = '-f flv -fflags +bitexact -flvflags no_duration_filesize -flush_packets 1'

const argsFor = (sounds: readonly FurtherSound[]): string[] =>
  [
    input,
    `-map 0:v:0? -map 0:a:0? -c copy -max_interleave_delta 500000 ${output} pipe:1`,
    ...sounds.map(({ pid }, index) => `-map 0:i:${pid} -c copy ${output} pipe:${3 + index}`),
  ].flatMap((part) => part.split(' '))

/** Time to flush ffmpeg's queue at the end, milliseconds. */
const flushMs = 1_000

export interface RemuxOptions {
  readonly programs: Pick<Programs, 'keep'>
  readonly sounds: readonly FurtherSound[]
  /** Its output is read after this, so that it follows that of an earlier one. */
  readonly after: Promise<unknown>
  readonly take: (message: Message) => void
  /** ffmpeg starts: its input begins at a keyframe. */
  readonly onStart: () => void
  /** ffmpeg has ended by itself. @param hadOutput false: it could not remux the input */
  readonly onExit: (hadOutput: boolean) => void
}

export class Remux {
  readonly #options: RemuxOptions
  readonly #kept: Kept
  #input: Writable | null = null
  #ended: (() => void) | null = null
  #hasOutput = false

  constructor(options: RemuxOptions) {
    this.#options = options
    const { programs, sounds } = options
    this.#kept = programs.keep({ args: argsFor(sounds), outputs: sounds.length, attach: (io) => this.#attach(io) })
  }

  /** Null while ffmpeg does not run. */
  get input(): Writable | null {
    return this.#input
  }

  /** True when it has remuxed something. */
  get hasOutput(): boolean {
    return this.#hasOutput
  }

  /** Ends it. Resolves when the remaining output has been passed on, within the flush time. */
  async end(): Promise<void> {
    const last = this.#input
    this.#input = null
    const flushed = new Promise<void>((resolve) => (this.#ended = resolve))
    if (last) {
      last.end()
      await Promise.race([flushed, wait(flushMs, undefined, { ref: false })])
    }
  }

  /** Stops ffmpeg. */
  stop(): Promise<void> {
    return this.#kept.stop()
  }

  #attach({ stdin, stdout, more }: { stdin: Writable; stdout: Readable; more: readonly Readable[] }): () => void {
    const { take, after, sounds, onStart, onExit } = this.#options
    let hadOutput = false
    // The main sound comes first: without it a further one would be taken for the main one.
    let hasMainSound = false
    this.#input = stdin
    onStart()
    const braid = new Braid(1 + sounds.length, take)
    const listen = () => {
      readFlv(stdout, (message) => {
        hadOutput = this.#hasOutput = true
        hasMainSound ||= message.type === messageType.audio
        if (sounds.length === 0) take(message)
        else braid.push(0, message)
      })
      for (const [index, { track }] of sounds.entries()) {
        const pipe = more[index]
        if (pipe) readFurther(pipe, track, (message) => hasMainSound && (braid.push(1 + index, message), true))
      }
    }
    void after.then(listen)
    return () => {
      braid.flush()
      if (this.#input === stdin) this.#input = null
      if (this.#ended) return this.#ended()
      onExit(hadOutput)
    }
  }
}

/** Reads a further sound. @param take returns false while it cannot take messages: the header is kept until then */
function readFurther(pipe: Readable, track: number, take: (message: Message) => boolean): void {
  let header: Message | null = null
  readFlv(pipe, (message) => {
    const inTrack = soundInTrack(track, message)
    if (!inTrack) return
    if (message.payload[1] === 0) header = inTrack
    else if (!header || take({ ...header, timestamp: inTrack.timestamp })) {
      header = null
      take(inTrack)
    }
  })
}

/** Calls back for each message of a pipe, until one is malformed. */
function readFlv(pipe: Readable, take: (message: Message) => void): void {
  const flv = new FlvReader()
  pipe.on('data', (bytes: Buffer) => {
    try {
      for (const message of flv.read(bytes)) take(message)
    } catch {
      pipe.destroy()
    }
  })
}
