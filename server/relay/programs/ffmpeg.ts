// Detects ffmpeg and its build options. Every feature except relaying needs it, and reports if it is missing.
import type { Ffmpeg } from '#server/domain/ingest/report.ts'
import { launch } from './child.ts'

/** Programs run at a low priority, so a loaded machine may take long; a node probes once in its life. */
const probeMs = 60_000
const answerBytesMax = 1024 * 1024

/** Detects ffmpeg. @returns null if it is missing */
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
