// Compared engines: our node as `npm run relay` starts it, nginx-rtmp with push, and one ffmpeg per destination.
import { mainTracks, type TrackChoice } from '#contract/entities/tracks.ts'
import { FromNode } from '#contract/relay/from-node.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { readMessage } from '#contract/relay/protocol.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { WebSocketServer } from 'ws'
import { programs } from '#scripts/house/build.ts'
import { relayProgram } from '#server/relay/program.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { startNginx } from '#server/relay/testing/programs.ts'

/** Engine that sends one stream to many destinations. */
export interface Engine {
  readonly port: number
  readonly key: string
  /** Process ids of the engine. */
  pids(): number[]
  stop(): Promise<void>
}

export type StartEngine = (urls: readonly string[]) => Promise<Engine>

const key = 'bench'
const idOf = ({ pid }: ChildProcess): number => pid ?? 0

async function end(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  const gone = running.map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(gone)
}

export const relaydeck: StartEngine = (urls) => startNode(urls, {})

/** Node that delays audio until the next video frame, for the least processor time. */
export const relaydeckSaving: StartEngine = (urls) => startNode(urls, { RELAY_GATHER_MS: '40' })

/** Node whose last destination receives the second video track of the encoder, the others the first. */
export const relaydeckTwoMixes: StartEngine = (urls) => startNode(urls, {}, '1')

/**
 * Starts a node; this process acts as its service.
 * @param video track of the last destination
 */
async function startNode(
  urls: readonly string[],
  variables: Readonly<Record<string, string>>,
  video?: TrackChoice['video'],
): Promise<Engine> {
  const destinations = urls.map((url, id) => {
    const { hostname: host, port, pathname } = new URL(url)
    const [, app = '', stream = ''] = pathname.split('/')
    const target = { protocol: 'rtmp' as const, host, port: Number(port), app, key: stream }
    return id === urls.length - 1 && video ? { id, target, tracks: { ...mainTracks, video } } : { id, target }
  })
  const service = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(service, 'listening')
  service.on('connection', (socket) => {
    const send = (message: FromService) => socket.send(JSON.stringify(message))
    socket.on('message', (data: Buffer) => {
      const message = readMessage(FromNode, data.toString('utf8'))
      if (message?.type === 'admit') send({ type: 'admitted', request: message.request, projectId: 1, destinations })
      if (message?.type === 'event') send({ type: 'ack', seq: message.seq })
    })
  })
  const port = await freePort()
  const child = spawn(process.execPath, relayProgram(programs.relay), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: resolve('.cache/compile'),
      SERVICE_URL: `ws://127.0.0.1:${(service.address() as AddressInfo).port}/relay`,
      RTMP_PORT: String(port),
      ALLOW_PRIVATE_DESTINATIONS: 'on',
      // No thumbnails, because the other engines make none.
      FFMPEG: '',
      ...variables,
    },
  })
  await Promise.all([once(child.stdout, 'data'), once(service, 'connection')])
  return {
    port,
    key,
    pids: () => [idOf(child)],
    async stop() {
      await end([child])
      service.close()
    },
  }
}

const nginxRtmp = (port: number, more: string) =>
  startNginx(
    port,
    `rtmp { server { listen 127.0.0.1:${port}; access_log off; application live { live on; ${more} } } }`,
  )

/** nginx-rtmp with its own push. */
export const nginxPush: StartEngine = async (urls) => {
  const port = await freePort()
  const nginx = await nginxRtmp(port, urls.map((url) => `push ${url};`).join(' '))
  return { port, key, pids: () => [idOf(nginx.child)], stop: nginx.stop }
}

/** nginx-rtmp receives the stream, and one ffmpeg per destination pulls it there. */
export const ffmpegEach: StartEngine = async (urls) => {
  const port = await freePort()
  const nginx = await nginxRtmp(port, '')
  const from = `rtmp://127.0.0.1:${port}/live/${key}`
  const children = urls.map((url) => {
    const args = ['-v', 'quiet', '-i', from, '-c', 'copy', '-f', 'flv', url]
    return spawn('ffmpeg', args, { stdio: 'ignore' })
  })
  return {
    port,
    key,
    pids: () => [nginx.child, ...children].map(idOf),
    async stop() {
      await end(children)
      await nginx.stop()
    },
  }
}
