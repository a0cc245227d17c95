// Thumbnails: every ten seconds ffmpeg decodes one keyframe and the last second of sound of each project on air.
import type { Live } from './live.ts'
import { flvHeader } from './media/flv.ts'
import type { Receiver } from './media/hub.ts'
import type { Packet } from './media/packet.ts'
import type { Programs } from './programs/programs.ts'

/** A thumbnail. */
export interface Poster {
  readonly projectId: number
  readonly at: number
  /** JPEG in base64. */
  readonly jpeg: string
}

export interface PosterOptions {
  readonly programs: Programs
  readonly lives: () => readonly Live[]
  readonly onPoster: (poster: Poster) => void
}

/** Interval of decodes, milliseconds: soon after the first sign of a fault, and until it is over. */
const everyMs = { fine: 10_000, suspect: 2_000, fault: 5_000 } as const
/** Interval of the search for projects without a thumbnail. */
const checkMs = 500
/** Retry interval after a failed decode. */
const againMs = 60_000
const takeMs = 15_000
const widthMax = 640
const jpegBytesMax = 100_000
/** Kept sound, milliseconds, and the least that is judged. */
const soundMs = 1_000
const soundMinMs = 500

/** One thread, one frame, no larger than a page shows it. Filters print their measures. */
const input = '-hide_banner -nostats -threads 1 -f flv -i pipe:0'
const luma = 'signalstats,metadata=print:key=lavfi.signalstats.YHIGH,metadata=print:key=lavfi.signalstats.YMAX'
const scaled = `scale=w='min(${widthMax},iw)':h=-2,format=yuv420p`
const picture = `-map 0:v:0 -frames:v 1 -vf ${scaled},${luma} -q:v 6 -f mjpeg pipe:1`
const sound = '-map 0:a:0 -af volumedetect -f null -'
/** Codecs of sound that every ffmpeg reads in FLV. */
const soundCodecs: ReadonlySet<string> = new Set(['aac ', 'mp3 '])

/** Luma of a black picture: of nine pixels in ten, and of all. Video black is 16. */
const blackHigh = 24
const blackMax = 64
/** Peak of silence, dB. */
const silentPeak = -60

/** Keeps the last second of sound: the packets since a keyframe may be fewer, and without video there are none. */
class SoundTail implements Receiver {
  #packets: Packet[] = []

  take(packet: Packet): void {
    if (packet.kind !== 'audio' || packet.role === 'header') return
    const since = packet.timestamp - soundMs
    this.#packets = [...this.#packets.filter(({ timestamp }) => timestamp >= since), packet]
  }

  /** Returns the kept sound; empty below half a second. */
  packets(): readonly Packet[] {
    const [first, last] = [this.#packets[0], this.#packets.at(-1)]
    return first && last && last.timestamp - first.timestamp >= soundMinMs ? this.#packets : []
  }
}

/** Decoding of one project. */
interface Watched {
  readonly sound: SoundTail
  notBefore: number
  /** Encoder of the last decode. */
  source: number
}

/** Takes thumbnails, one at a time over all projects. @returns a function that stops it */
export function takePosters({ programs, lives, onPoster }: PosterOptions): () => void {
  const watched = new WeakMap<Live, Watched>()
  let timer: NodeJS.Timeout | undefined
  let over = false

  async function round() {
    if (await programs.ffmpeg) for (const live of lives()) if (!over) await take(live)
    if (!over) timer = setTimeout(() => void round(), checkMs)
  }

  function watch(live: Live): Watched {
    const known = watched.get(live) ?? { sound: new SoundTail(), notBefore: 0, source: 0 }
    if (!watched.has(live)) live.hub.attach(known.sound)
    watched.set(live, known)
    return known
  }

  async function take(live: Live): Promise<void> {
    const at = Date.now()
    const watching = watch(live)
    const source = live.sourceNumber
    // A decode that finds nothing wrong is soon enough for the next encoder as well.
    if (at < watching.notBefore && watching.source === source) return
    const key = live.hub.group()[0]
    const hasSound = soundCodecs.has(live.hub.codecs().audio.padEnd(4))
    const tail = hasSound ? watching.sound.packets() : []
    if (!key && (tail.length === 0 || live.hub.hasVideo)) return
    const args = [input, key ? picture : '', tail.length > 0 ? sound : ''].join(' ').trim().split(/ +/)
    const tags = [...live.hub.headers(), ...(key ? [key] : []), ...tail].map((packet) => packet.tag())
    const flv = Buffer.concat([flvHeader({ audio: tail.length > 0, video: key !== undefined }), ...tags])
    const { out, said, code } = await programs.run({ args, keepOut: jpegBytesMax, timeoutMs: takeMs }, flv)
    const isTaken = key ? out.length > 0 : code === 0
    const next = isTaken && live.sourceNumber === source ? live.look(readMeasures(said)) : 'fine'
    // The first decode of an encoder is often too early for a second of sound.
    const isEarly = hasSound && tail.length === 0 && watching.source !== source
    watching.notBefore = at + (isTaken ? everyMs[isEarly && next === 'fine' ? 'suspect' : next] : againMs)
    watching.source = source
    if (out.length > 0 && !over) onPoster({ projectId: live.projectId, at, jpeg: out.toString('base64') })
  }
  void round()
  return () => {
    over = true
    clearTimeout(timer)
  }
}

/** Reads the measures that the filters printed; null: not measured. */
function readMeasures(said: string): { readonly black: boolean | null; readonly silent: boolean | null } {
  const figure = (pattern: RegExp) => {
    const text = pattern.exec(said)?.[1]
    return text === undefined ? null : Number(text)
  }
  const [high, most] = [figure(/signalstats\.YHIGH=(\d+)/), figure(/signalstats\.YMAX=(\d+)/)]
  const peak = figure(/max_volume: (-?[\d.]+) dB/)
  return {
    black: high === null || most === null ? null : high < blackHigh && most < blackMax,
    silent: peak === null ? null : peak < silentPeak,
  }
}
