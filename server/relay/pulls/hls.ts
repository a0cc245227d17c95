// HLS output of a project: ffmpeg cuts the stream into files without decoding it. Each is sent to the
// service over a connection that the node opens on request. ffmpeg runs only while a player requests files.
import { sendFlv } from '#server/relay/media/flv-sender.ts'
import {
  createMediaConnections,
  type MediaConnectionOptions,
  type MediaConnections,
  type MediaRequest,
} from '#server/relay/media-connections.ts'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebSocket } from 'ws'
import type { Live } from '#server/relay/live.ts'
import type { Programs } from '#server/relay/programs/programs.ts'

export interface HlsOptions extends MediaConnectionOptions {
  readonly live: (projectId: number) => Live | undefined
  readonly programs: Programs
}

export interface HlsSender extends Pick<MediaConnections, 'end' | 'close'> {
  /** Sends a project's files until the service closes the connection. */
  send(call: MediaRequest, projectId: number): void
}

/** Prefix of temporary folders; the process id follows. */
const folderName = 'relaydeck-hls-'
/** File name of the playlist. */
const playlist = 'index.m3u8'
const checkMs = 200
const queueBytesMax = 16 * 1024 * 1024
/** Message limit of the service. */
const fileBytesMax = 15 * 1024 * 1024

const argumentsFor = (dir: string): string[] => [
  ...'-hide_banner -loglevel error -nostats -analyzeduration 1M -f flv -i pipe:0'.split(' '),
  ...'-map 0:v:0? -map 0:a:0? -c copy -f hls -hls_time 2 -hls_list_size 6'.split(' '),
  // Numbers grow over restarts, so that players do not confuse old and new files.
  ...'-hls_start_number_source epoch -hls_flags delete_segments+temp_file+omit_endlist+discont_start'.split(' '),
  '-hls_segment_filename',
  join(dir, '%d.ts'),
  join(dir, playlist),
]

/** Creates the sender of HLS files. */
export function createHlsSender({ live, programs, ...to }: HlsOptions): HlsSender {
  const { open, end, close } = createMediaConnections(to)
  clearOld()
  return {
    send: (call, projectId) =>
      open(call, projectId, async (socket) => {
        const on = live(projectId)
        const hasFfmpeg = on && (await programs.ffmpeg)
        return hasFfmpeg && socket.readyState === socket.OPEN ? cut(on, programs, socket) : null
      }),
    end,
    close,
  }
}

/** Deletes the folders of nodes that were killed. */
function clearOld(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(folderName) ? Number.parseInt(name.slice(folderName.length), 10) : Number.NaN
    if (!(pid > 0) || isRunning(pid)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another node deletes the folder too.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process belongs to another user, and so does its folder.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** @returns a function that stops it */
function cut({ hub }: Live, programs: Programs, socket: WebSocket): () => void {
  const dir = mkdtempSync(join(tmpdir(), `${folderName}${process.pid}-`))
  const kept = programs.keep({
    args: argumentsFor(dir),
    attach({ stdin, stdout }) {
      stdout.resume()
      const outlet = sendFlv(hub, stdin, () => queueBytesMax)
      return () => outlet.close()
    },
  })
  const send = sender(dir, socket)
  let checking = false
  const timer = setInterval(() => {
    if (checking || socket.bufferedAmount > queueBytesMax) return
    checking = true
    void send()
      .catch(() => undefined)
      .finally(() => (checking = false))
  }, checkMs)
  return () => {
    clearInterval(timer)
    void kept.stop().then(() => rmSync(dir, { recursive: true, force: true }))
  }
}

/** Sends new files: each as its name followed by its bytes, and the playlist after the files that it lists. */
function sender(dir: string, socket: WebSocket): () => Promise<void> {
  let before = ''
  let sent: readonly string[] = []
  const put = (name: string, bytes: Buffer) => {
    socket.send(name)
    socket.send(bytes)
  }
  return async () => {
    const text = await readFile(join(dir, playlist), 'utf8').catch(() => '')
    if (text === '' || text === before) return
    const names = text.split('\n').filter((line) => /^\d+\.ts$/.test(line))
    for (const name of names) {
      if (sent.includes(name)) continue
      const bytes = await readFile(join(dir, name))
      if (bytes.length <= fileBytesMax) put(name, bytes)
    }
    sent = names
    before = text
    put(playlist, Buffer.from(text))
  }
}
