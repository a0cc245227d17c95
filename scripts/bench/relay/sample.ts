// Test stream of all engines: 1080p30 at 6 Mbps with AAC, made once by ffmpeg and sent in a loop.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Encoder, encode } from '#server/relay/testing/encoder.ts'
import { enhanced, inTrack } from '#server/relay/testing/enhanced.ts'

const seconds = 20
const folder = '.cache/bench'
const file = `${folder}/relay-6mbps-1080p30.flv`
const input = [
  ['-f', 'lavfi', '-i', `testsrc2=size=1920x1080:rate=30:duration=${seconds}`],
  // Noise: every audio frame has different bytes, so that each is identified on arrival.
  ['-f', 'lavfi', '-i', `anoisesrc=sample_rate=48000:amplitude=0.2:duration=${seconds}`],
].flat()
const rate = ['-b:v', '6000k', '-minrate', '6000k', '-maxrate', '6000k', '-bufsize', '3000k', '-nal-hrd', 'cbr']
const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-bf', '0', '-pix_fmt', 'yuv420p', ...rate]

/** Makes the sample if it is missing. @returns its messages in order, and its length in milliseconds */
export async function sample(): Promise<{ readonly messages: readonly Message[]; readonly lengthMs: number }> {
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const made = `${file}.part`
    const sound = ['-c:a', 'aac', '-b:a', '160k', '-f', 'flv', made]
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...input, ...codecs, ...sound])
    renameSync(made, file)
  }
  return { messages: [...tags(readFileSync(file))], lengthMs: seconds * 1000 }
}

/** Yields the tags of an FLV file (FLV 10.1, annex E.4) as RTMP messages. */
function* tags(bytes: Buffer): Generator<Message> {
  for (let at = 13; at + 11 < bytes.length;) {
    const length = bytes.readUIntBE(at + 1, 3)
    const timestamp = bytes.readUIntBE(at + 4, 3) | ((bytes[at + 7] ?? 0) << 24)
    yield { type: bytes[at] ?? 0, streamId: 1, timestamp, payload: bytes.subarray(at + 11, at + 11 + length) }
    at += 11 + length + 4
  }
}

/** Identifies a message on arrival by its length and its last bytes. */
export const markOf = (payload: Buffer): string =>
  `${payload.length} ${payload.toString('latin1', payload.length - 40)}`

export interface Source {
  /** Time of the last message with this mark, by `performance.now()`. */
  sentAt(mark: string): number | undefined
  stop(): void
}

/**
 * Publishes the sample in real time until it is stopped.
 * @param videoTracks 2: the pictures are sent as a second track too
 * @throws when the server refuses
 */
export async function send(port: number, key: string, videoTracks: 1 | 2 = 1): Promise<Source> {
  const { messages, lengthMs } = await sample()
  const encoder: Encoder = encode(port, key)
  const outcome = await encoder.outcome
  if (outcome !== 'live') throw new Error(`The server refused the stream: ${outcome}`)
  const sent = new Map<string, number>()
  const begin = performance.now()
  let next = 0
  let loop = 0
  const due = () => loop * lengthMs + (messages[next]?.timestamp ?? 0)
  const step = () => {
    while (due() <= performance.now() - begin) {
      const message = messages[next]
      // Headers and metadata open the stream once.
      if (message && (loop === 0 || message.timestamp > 0)) {
        sent.set(markOf(message.payload), performance.now())
        const now = { ...message, timestamp: message.timestamp + loop * lengthMs }
        encoder.send(now)
        if (videoTracks === 2 && message.type === messageType.video) encoder.send(inTrack(1, enhanced(now)))
      }
      next = (next + 1) % messages.length
      if (next === 0) loop++
    }
    timer = setTimeout(step, Math.max(0, due() - (performance.now() - begin)))
  }
  let timer = setTimeout(step)
  return {
    sentAt: (mark) => sent.get(mark),
    stop() {
      clearTimeout(timer)
      encoder.destroy()
    },
  }
}
