// Masters made by ffmpeg, a double of the service that sends them, and hand-made films.
import { execFile } from 'node:child_process'
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Film, FilmWriter, openFilm } from '#server/relay/library/film.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import { aacHeader, audio, interframe, keyframe } from './frames.ts'

const run = promisify(execFile)

interface Master {
  /** Such as `red`. Default: a moving test picture. */
  readonly color?: string
  readonly size?: string
  readonly rate?: number
  readonly seconds: number
  /** Of the tone, hertz; 0: no sound. */
  readonly frequency?: number
}

/** Makes a master as the service prepares them: H.264 with B-frames and a keyframe each 2 s, AAC 48 kHz stereo. */
export async function makeMaster(
  file: string,
  { color, size = '320x180', rate = 30, seconds, frequency = 880 }: Master,
) {
  const source = color ? `color=${color}:size=${size}:rate=${rate}` : `testsrc2=size=${size}:rate=${rate}`
  const tone = `-f lavfi -i sine=frequency=${frequency}:sample_rate=48000:duration=${seconds}`
  const args = [
    `-v error -y -f lavfi -i ${source}:duration=${seconds}`,
    frequency > 0 ? tone : '',
    `-c:v libx264 -preset veryfast -bf 2 -b_strategy 0 -g ${2 * rate} -keyint_min ${2 * rate} -sc_threshold 0`,
    `-pix_fmt yuv420p -c:a aac -ac 2 -ar 48000 -movflags +faststart -f mp4 ${file}`,
  ]
  await run('ffmpeg', args.join(' ').split(/ +/))
}

/** The service of a test. */
export interface MediaService {
  /** URL for nodes. */
  readonly service: string
  /** Requests so far: path and range. */
  readonly asked: string[]
  /** Answers instead of the service, until it returns false. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean
  close(): void
}

/** Serves the files of a folder at `/relay/media/` with ranges, and at `/relay/files/`. */
export async function mediaService(dir: string): Promise<MediaService> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    asked.push(`${url} ${headers.range ?? ''}`.trim())
    if (made.answer(request, response)) return
    const file = join(dir, url.replace(/^\/relay\/(media|files)\//, ''))
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined) return void response.writeHead(404).end()
    const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? -1)
    if (from < 0) response.writeHead(200, { 'content-length': size })
    else
      response.writeHead(206, { 'content-range': `bytes ${from}-${size - 1}/${size}`, 'content-length': size - from })
    createReadStream(file, { start: Math.max(0, from) }).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const made: MediaService = {
    service: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/relay`,
    asked,
    answer: () => false,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return made
}

/** An AVC header with the sets of 320x180 at 30 frames a second, made by x264. */
export const avcHeaderOf320: Message = {
  type: 9,
  streamId: 1,
  timestamp: 0,
  payload: Buffer.from(
    '17000000000164000dffe1001a6764000dacd941419f9f0110000003001000000303c0f142996001000668ebe3cb22c0fdf8f800',
    'hex',
  ),
}

/** Messages of a film: a keyframe each 2 s, sound without a gap. @param bytes size of each frame */
export function* filmMessages(pictures: number, { rate = 30, bytes = 300, startMs = 0 } = {}): Generator<Message> {
  const frameMs = 1024 / 48
  yield avcHeaderOf320
  yield aacHeader()
  let sound = 0
  for (let count = 0; count < pictures; count++) {
    const at = Math.round((count * 1000) / rate)
    for (; sound * frameMs <= at; sound++) yield audio(startMs + Math.round(sound * frameMs))
    yield (count % (2 * rate) === 0 ? keyframe : interframe)(startMs + at, bytes)
  }
  for (; sound * frameMs < (pictures * 1000) / rate; sound++) yield audio(startMs + Math.round(sound * frameMs))
}

/** Writes a film. */
export async function writeFilm(path: string, messages: Iterable<Message>): Promise<Film> {
  const writer = new FilmWriter()
  const bytes = writer.add([...messages])
  writeFileSync(path, Buffer.concat([bytes, writer.end()]))
  const film = await openFilm(path)
  if (!film) throw new Error(`${path} is no film`)
  return film
}

/** Names of the files in a folder, sorted. */
export const filesIn = (dir: string): string[] => readdirSync(dir).toSorted()
