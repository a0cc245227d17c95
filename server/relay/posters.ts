// A still of every project on air each ten seconds: one keyframe, decoded by ffmpeg; nothing is decoded without it.
import type { Live } from './live.ts'
import { flvHeader } from './media/flv.ts'
import type { Programs } from './programs/programs.ts'

/** A still, for the service. */
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

const everyMs = 10_000
/** Who has just come on air has a still soon. */
const lookMs = 500
/** What could not be decoded once is not tried each time. */
const againMs = 60_000
const takeMs = 15_000
const widthMax = 640
const jpegBytesMax = 100_000

/** One thread, one picture, no larger than a page shows it. */
const args =
  `-v error -threads 1 -f flv -i pipe:0 -frames:v 1 -vf scale=w='min(${widthMax},iw)':h=-2 -q:v 6 -f mjpeg pipe:1`.split(
    ' ',
  )

/** Takes stills, one at a time over all projects. @returns what ends it */
export function takePosters({ programs, lives, onPoster }: PosterOptions): () => void {
  const notBefore = new WeakMap<Live, number>()
  let timer: NodeJS.Timeout | undefined
  let over = false

  async function round() {
    if (await programs.ffmpeg) for (const live of lives()) if (!over) await take(live)
    if (!over) timer = setTimeout(() => void round(), lookMs)
  }

  async function take(live: Live): Promise<void> {
    const at = Date.now()
    const key = live.hub.group()[0]
    if (!key || at < (notBefore.get(live) ?? 0)) return
    const tags = [...live.hub.headers(), key].map((packet) => packet.tag())
    const input = Buffer.concat([flvHeader({ audio: false, video: true }), ...tags])
    const { out } = await programs.run({ args, keepOut: jpegBytesMax, timeoutMs: takeMs }, input)
    notBefore.set(live, at + (out.length > 0 ? everyMs : againMs))
    if (out.length > 0 && !over) onPoster({ projectId: live.projectId, at, jpeg: out.toString('base64') })
  }
  void round()
  return () => {
    over = true
    clearTimeout(timer)
  }
}
