// Thumbnails: every ten seconds ffmpeg decodes one keyframe of each project on air.
import type { Live } from './live.ts'
import { flvHeader } from './media/flv.ts'
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

const everyMs = 10_000
/** Interval of the search for projects without a thumbnail. */
const checkMs = 500
/** Retry interval after a failed decode. */
const againMs = 60_000
const takeMs = 15_000
const widthMax = 640
const jpegBytesMax = 100_000

/** One thread, one frame, no larger than a page shows it. */
const args =
  `-v error -threads 1 -f flv -i pipe:0 -frames:v 1 -vf scale=w='min(${widthMax},iw)':h=-2 -q:v 6 -f mjpeg pipe:1`.split(
    ' ',
  )

/** Takes thumbnails, one at a time over all projects. @returns a function that stops it */
export function takePosters({ programs, lives, onPoster }: PosterOptions): () => void {
  const notBefore = new WeakMap<Live, number>()
  let timer: NodeJS.Timeout | undefined
  let over = false

  async function round() {
    if (await programs.ffmpeg) for (const live of lives()) if (!over) await take(live)
    if (!over) timer = setTimeout(() => void round(), checkMs)
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
