// Whether ffmpeg is here, and what it was built with. Everything but relaying needs it, and says so where it is missing.
import type { Ffmpeg } from '#server/domain/ingest/report.ts'
import { launch } from './child.ts'

const probeMs = 10_000
const answerBytesMax = 1024 * 1024

/** Asks ffmpeg what it is. @returns null when there is none */
export async function probeFfmpeg(command: string): Promise<Ffmpeg | null> {
  if (command === '') return null
  const ask = async (question: string) => {
    const child = launch({ command, args: ['-hide_banner', question], keepOut: answerBytesMax, timeoutMs: probeMs })
    child.stdin.end()
    const { code, out } = await child.over
    return code === 0 ? out.toString() : ''
  }
  const version = /^ffmpeg version (\S{1,100})/.exec(await ask('-version'))?.[1]
  if (version === undefined) return null
  const encoders = new Set((await ask('-encoders')).split(/\s+/))
  const protocols = new Set((await ask('-protocols')).split(/\s+/))
  return { version, x264: encoders.has('libx264'), x265: encoders.has('libx265'), srt: protocols.has('srt') }
}
