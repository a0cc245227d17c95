// Remuxes a recording from FLV to MP4 without re-encoding.
import { rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Programs } from '#server/relay/programs/programs.ts'
import type { RecordingFile } from './recorder.ts'

const inputArgs = '-v error -nostats -progress pipe:1 -y -i'.split(' ')
const outputArgs = '-map 0:v? -map 0:a? -c copy -movflags +faststart -f mp4'.split(' ')
const progressBytesMax = 1024 ** 2

/** Returns the free bytes on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Makes an MP4 of an FLV, and deletes the FLV.
 * @param freeBytes bytes of the disk that must stay free
 * @returns the new file; null without ffmpeg, without enough space, or if ffmpeg fails
 */
export async function remux(
  programs: Programs,
  file: string,
  freeBytes: number,
): Promise<Pick<RecordingFile, 'file' | 'bytes' | 'durationMs'> | null> {
  if (!(await programs.ffmpeg)) return null
  const { size } = await stat(file)
  if ((await freeBytesOf(dirname(file))) - size < freeBytes) return null
  const target = join(dirname(file), `${basename(file, '.flv')}.mp4`)
  const part = `${target}.part`
  const { code, out } = await programs.run({
    args: [...inputArgs, file, ...outputArgs, part],
    keepOut: progressBytesMax,
  })
  if (code !== 0) {
    await rm(part, { force: true })
    return null
  }
  await rename(part, target)
  await rm(file)
  const micros = [...out.toString().matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
  return { file: target, bytes: (await stat(target)).size, durationMs: Math.round(Number(micros ?? 0) / 1000) }
}
