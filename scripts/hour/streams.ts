// Files that the encoders of the test send: one size and one sound, so that recordings decode in every container, with other encodings.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FlvReader, flvHeader, writeTag } from '#server/relay/media/flv.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import { makeFlv } from '#server/relay/testing/programs.ts'

/** Whole frames of picture and sound, so that a repetition has no gap. Seconds. */
export const roundSeconds = 16
/** Longer than any encoder of the test lives: ten minutes. */
const rounds = 38
const common = { frequency: 440, seconds: roundSeconds, bitrate: '300k' } as const

/** FLV files. `wide` has B-frames; `plain` has none, as backup encoders and browsers send it. */
export interface Streams {
  readonly wide: string
  readonly high: string
  readonly plain: string
}

/** Makes the files. @param folder for them */
export async function makeStreams(folder: string): Promise<Streams> {
  const made = { wide: join(folder, 'wide.flv'), high: join(folder, 'high.flv'), plain: join(folder, 'plain.flv') }
  const withBFrames = ['-preset', 'medium', '-bf', '2', '-b_strategy', '0']
  await makeFlv(made.wide, { ...common, size: '320x180', options: withBFrames })
  await makeFlv(made.high, { ...common, size: '180x320' })
  await makeFlv(made.plain, { ...common, size: '320x180', options: ['-tune', 'zerolatency'] })
  for (const file of Object.values(made)) repeat(file)
  return made
}

/** Repeats a file. The overlap that ffmpeg makes with `-stream_loop` would count as a fault of the relay. */
function repeat(file: string): void {
  const lengthMs = roundSeconds * 1000
  const all = new FlvReader().read(readFileSync(file)).filter(({ timestamp }) => timestamp < lengthMs)
  const isHeader = (message: (typeof all)[number]) => !isFrame(message)
  const tags = [flvHeader({ audio: true, video: true }), ...all.filter(isHeader).map(writeTag)]
  const frames = all.filter((message) => !isHeader(message))
  for (let round = 0; round < rounds; round++)
    tags.push(...frames.map((frame) => writeTag({ ...frame, timestamp: frame.timestamp + round * lengthMs })))
  writeFileSync(file, Buffer.concat(tags))
}
