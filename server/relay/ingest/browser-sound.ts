// Sound of a browser that encodes no AAC: Opus or PCM goes through one ffmpeg, and continues at its own time.
import { isDeepStrictEqual } from 'node:util'
import { FlvReader } from '#server/relay/media/flv.ts'
import { OggOpusWriter, opusSamples } from '#server/relay/media/ogg-opus.ts'
import type { Kept, KeepOptions, Programs } from '#server/relay/programs/programs.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { BrowserPacket, RawSound } from './browser-packets.ts'

const opusInput = '-f ogg -i pipe:0'
const pcmInput = (rate: number) => `-f s16le -ar ${rate} -ac 1 -i pipe:0`
/** Gaps in the time of the packets become silence, because platforms expect sound without gaps. */
const argsFor = ({ format, rate }: RawSound): readonly string[] =>
  [
    '-hide_banner -loglevel error -nostats -probesize 32 -analyzeduration 0 -fflags nobuffer',
    format === 'opus' ? opusInput : pcmInput(rate),
    '-af aresample=48000:async=1 -c:a aac -b:a 128k -flush_packets 1 -f flv pipe:1',
  ].flatMap((part) => part.split(' '))

/** Difference between the packets and the time above which sound is left out or silence is added, milliseconds. */
const driftMsMax = 100
/** A longer gap begins anew. */
const gapMsMax = 5_000
/** Time between two starts of ffmpeg: a page may send headers and gaps as fast as it likes, milliseconds. */
const startEveryMs = 1_000
/** Queue of ffmpeg above which sound is left out, bytes. */
const queueBytesMax = 1024 * 1024
const sampleBytes = 2

type Io = Parameters<KeepOptions['attach']>[0]

/** Samples of one run of ffmpeg. */
interface Run {
  readonly stdin: Io['stdin']
  readonly ogg: OggOpusWriter
  /** Time of the first sample, milliseconds; null before it. */
  base: number | null
  /** Written samples. */
  samples: number
}

export class BrowserSound {
  readonly #programs: Pick<Programs, 'keep'>
  readonly #onMessage: (message: Message) => void
  #kept: Kept | null = null
  #sound: RawSound | null = null
  #run: Run | null = null
  #startedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  /** @param onMessage receives AAC */
  constructor(programs: Pick<Programs, 'keep'>, onMessage: (message: Message) => void) {
    this.#programs = programs
    this.#onMessage = onMessage
  }

  /** Begins sound, in place of the sound so far. */
  begin(sound: RawSound): void {
    if (isDeepStrictEqual(sound, this.#sound)) return
    this.#sound = sound
    this.#restart()
  }

  /** Starts ffmpeg anew, at most once a second. Until then sound is dropped. */
  #restart(): void {
    void this.stop()
    const waitMs = this.#startedAt + startEveryMs - performance.now()
    if (waitMs <= 0) this.#start()
    else this.#timer = setTimeout(() => this.#start(), waitMs)
  }

  #start(): void {
    const sound = this.#sound
    if (!sound) return
    this.#startedAt = performance.now()
    this.#kept = this.#programs.keep({ args: argsFor(sound), attach: (io) => this.#attach(io) })
  }

  take({ payload, time }: BrowserPacket): void {
    const [run, sound] = [this.#run, this.#sound]
    if (!run || !sound || run.stdin.writableLength > queueBytesMax) return
    const samples = sound.format === 'opus' ? opusSamples(payload) : payload.length / sampleBytes
    if (samples === 0) return
    run.base ??= time
    const expected = Math.round(((time - run.base) * sound.rate) / 1000)
    const gap = expected - run.samples
    const drift = (driftMsMax * sound.rate) / 1000
    if (gap > (gapMsMax * sound.rate) / 1000) return this.#restart()
    if (gap < -drift) return
    if (gap > drift) {
      run.samples += gap
      if (sound.format === 'pcm') run.stdin.write(Buffer.alloc(gap * sampleBytes))
    }
    run.samples += samples
    run.stdin.write(sound.format === 'opus' ? run.ogg.page(payload, run.samples) : payload)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const kept = this.#kept
    this.#kept = this.#run = null
    await kept?.stop()
  }

  #attach({ stdin, stdout }: Io): () => void {
    const run: Run = { stdin, ogg: new OggOpusWriter(), base: null, samples: 0 }
    const flv = new FlvReader()
    this.#run = run
    if (this.#sound?.format === 'opus') stdin.write(run.ogg.head(this.#sound.channels))
    stdout.on('data', (bytes: Buffer) => {
      try {
        for (const message of flv.read(bytes)) this.#forward(run, message)
      } catch {
        stdout.destroy()
      }
    })
    return () => {
      if (this.#run === run) this.#run = null
    }
  }

  #forward(run: Run, message: Message): void {
    if (this.#run !== run || message.type !== messageType.audio) return
    this.#onMessage({ ...message, timestamp: ((run.base ?? 0) + message.timestamp) % 2 ** 32 })
  }
}
