// Encoders of graphics cards: `ffmpeg -encoders` lists them without a card as well, so each is tried once.
import { existsSync, readdirSync } from 'node:fs'
import { launch } from './child.ts'

/** Families of encoders, the fastest first. */
export const cardFamilies = ['nvenc', 'qsv', 'vaapi'] as const
export type CardFamily = (typeof cardFamilies)[number]

/** Time for ten frames, milliseconds: a card that takes longer encodes nothing in time. */
const trialMs = 3_000
/** Device files of NVIDIA, of other cards on Linux, and of Windows inside a virtual machine. */
const devices = ['/dev/nvidiactl', '/dev/dri', '/dev/dxg']

/** Returns whether this machine may have a graphics card. Other systems than Linux have no device files. */
export const mayHaveCard = (): boolean => process.platform !== 'linux' || devices.some((path) => existsSync(path))

/** Returns the device for VAAPI: the first one that renders. */
export function renderDevice(): string {
  const folder = '/dev/dri'
  const nodes = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('renderD')) : []
  return `${folder}/${nodes.toSorted()[0] ?? 'renderD128'}`
}

/** Global arguments that open the card, before the input. */
export const openCard = (family: CardFamily): string[] => (family === 'vaapi' ? ['-vaapi_device', renderDevice()] : [])

/** Filter that hands frames to the card; empty: its encoder reads frames from memory. */
export const uploadFilter = (family: CardFamily): string => (family === 'vaapi' ? 'format=nv12,hwupload' : '')

/**
 * Tries the encoders of graphics cards, one after another: two trials at the same time exceed the sessions of small cards.
 * @param listed names of `ffmpeg -encoders`
 * @returns names of those that encoded ten frames
 */
export async function tryCards(command: string, listed: ReadonlySet<string>): Promise<string[]> {
  const works: string[] = []
  for (const family of cardFamilies)
    for (const codec of ['h264', 'hevc']) {
      const encoder = `${codec}_${family}`
      if (listed.has(encoder) && (await tryEncoder(command, family, encoder))) works.push(encoder)
    }
  return works
}

async function tryEncoder(command: string, family: CardFamily, encoder: string): Promise<boolean> {
  const filter = uploadFilter(family)
  const child = launch({
    command,
    args: [
      ...openCard(family),
      // No value contains a space.
      ...`-hide_banner -loglevel error -f lavfi -i color=black:s=640x360:r=30 -frames:v 10`.split(' '),
      ...(filter === '' ? [] : ['-vf', filter]),
      ...`-c:v ${encoder} -f null -`.split(' '),
    ],
    timeoutMs: trialMs,
  })
  child.stdin.end()
  child.stdout.resume()
  return (await child.over).code === 0
}
