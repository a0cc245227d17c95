// Real programs for relay tests: ffmpeg as encoder and decoder, nginx-rtmp as a recording platform.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

const modulesOf = {
  rtmp: '/usr/lib/nginx/modules/ngx_rtmp_module.so',
  stream: '/usr/lib/nginx/modules/ngx_stream_module.so',
}

/** True when ffmpeg and nginx-rtmp are installed; `npm test` installs them where it can. */
export const hasPrograms: boolean =
  existsSync(modulesOf.rtmp) &&
  ['ffmpeg', 'ffprobe'].every((name) => spawnSync(name, ['-version'], { stdio: 'ignore' }).status === 0)

/** True when openssl can make certificates. */
export const hasOpenssl: boolean = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0

/** True when tests with TLS can run. */
export const hasTls: boolean = hasPrograms && existsSync(modulesOf.stream) && hasOpenssl

/** Ends a program, and waits for its end. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

/** Creates a temporary directory. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'relaydeck-relay-'))

interface SampleStream {
  readonly size: string
  /** Of the tone, hertz. */
  readonly frequency: number
  readonly seconds: number
  /** Of the video, such as `400k`. */
  readonly bitrate: string
  /** Output options of ffmpeg. */
  readonly options?: readonly string[]
}

/** Makes a stream with a frame counter and a tone: H.264 at 30 frames a second with a keyframe each second, AAC. */
export async function makeFlv(file: string, { size, frequency, seconds, bitrate, options = [] }: SampleStream) {
  const picture = `-f lavfi -i testsrc2=size=${size}:rate=30:duration=${seconds}`
  const sound = `-f lavfi -i sine=frequency=${frequency}:sample_rate=48000:duration=${seconds}`
  const codecs = `-c:v libx264 -preset ultrafast -g 30 -bf 0 -b:v ${bitrate} -pix_fmt yuv420p -c:a aac`
  const made = `-v error -y ${picture} ${sound} ${codecs}`.split(' ')
  await run('ffmpeg', [...made, ...options, '-f', 'flv', file])
}

/** Makes a short stream. @returns the FLV file */
export async function sample(dir: string, seconds = 6, options: readonly string[] = []): Promise<string> {
  const file = join(dir, `sample-${seconds}.flv`)
  await makeFlv(file, { size: '320x180', frequency: 440, seconds, bitrate: '400k', options })
  return file
}

/** Encoder that sends a file in real time. */
export interface Encoder {
  readonly child: ChildProcess
  /** Resolves with the exit code and the error output. */
  done(): Promise<{ readonly code: number | null; readonly said: string }>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Publishes a file with ffmpeg. @param input options before the input, such as `-stream_loop -1` */
export const publish = (
  file: string,
  url: string,
  input: readonly string[] = [],
  output: readonly string[] = [],
): Encoder => encodeTo(url, ['-re', ...input, '-i', file, '-c', 'copy', ...output, '-f', 'flv'])

/** Publishes a file with ffmpeg by SRT. */
export const publishSrt = (file: string, url: string, input: readonly string[] = []): Encoder =>
  encodeTo(url, ['-re', ...input, '-i', file, '-c', 'copy', '-f', 'mpegts'])

/** Publishes with ffmpeg. @param options input and output options */
export function encodeTo(url: string, options: readonly string[]): Encoder {
  const args = ['-v', 'error', ...options, url]
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  const over = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    child,
    done: async () => ({ code: await over, said }),
    stop: (signal) => end(child, signal),
  }
}

/** nginx-rtmp as a platform: records each received stream. */
export interface Platform {
  readonly port: number
  /** Recordings of the stream key, oldest first. */
  recordings(key: string): string[]
  /** Waits until nginx has closed the first recording, and returns it. */
  recorded(key: string): Promise<string>
  stop(): Promise<void>
}

/** Starts an nginx of this test. @param config blocks after `events {}` */
export async function startNginx(
  port: number,
  config: string,
  dir: string = folder(),
): Promise<{ readonly child: ChildProcess; stop(): Promise<void> }> {
  const file = join(dir, `nginx-${port}.conf`)
  const modules = Object.values(modulesOf).filter((path) => existsSync(path))
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${dir}/nginx-${port}.pid; error_log ${dir}/error.log;
${modules.map((path) => `load_module ${path};`).join('\n')}
events { worker_connections 4096; }
${config}`,
  )
  const child = spawn('nginx', ['-p', dir, '-c', file], { stdio: 'ignore' })
  await listening(port)
  return { child, stop: () => end(child) }
}

/**
 * Makes a self-signed certificate with openssl.
 * @param names subject names, such as `DNS:localhost`
 * @returns paths of the certificate and its key
 */
export async function selfSigned(dir: string, names = 'DNS:localhost,IP:127.0.0.1') {
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const about = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`]
  await run('openssl', ['req', ...kind, ...about, '-keyout', key, '-out', cert])
  return { cert, key }
}

/** Starts a TLS proxy in front of a local port: nginx `stream ssl`. */
export const tlsInFront = (port: number, to: number, { cert, key }: { readonly cert: string; readonly key: string }) =>
  startNginx(
    port,
    `stream { server { listen 127.0.0.1:${port} ssl; proxy_pass 127.0.0.1:${to};
  ssl_certificate ${cert}; ssl_certificate_key ${key}; } }`,
  )

/**
 * Starts nginx-rtmp.
 * @param options.port port of a stopped platform, to start it again
 * @param options.rules directives of the application, such as `deny publish all;`
 */
export async function platform(options: { readonly port?: number; readonly rules?: string } = {}): Promise<Platform> {
  const dir = folder()
  const port = options.port ?? (await freePort())
  const nginx = await startNginx(
    port,
    `rtmp { server { listen 127.0.0.1:${port}; chunk_size 4096;
  application live { live on; ${options.rules ?? ''} record all; record_path ${dir}; record_unique on; } } }`,
    dir,
  )
  const recordings = (key: string) =>
    readdirSync(dir)
      .filter((name) => name.startsWith(`${key}-`))
      .toSorted()
      .map((name) => join(dir, name))
  return {
    port,
    recordings,
    async recorded(key) {
      for (;;) {
        const [file] = recordings(key)
        if (file !== undefined && !openFiles(nginx.child).includes(file)) return file
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop() {
      await nginx.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Paths of the files that a process has open. */
function openFiles({ pid }: ChildProcess): string[] {
  const fds = `/proc/${pid}/fd`
  return readdirSync(fds).flatMap((name) => {
    try {
      return readlinkSync(join(fds, name))
    } catch {
      return []
    }
  })
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Nothing listens on ${port}`)
}

/** Packet in the output of ffprobe. */
export interface ProbedPacket {
  readonly codec_type: 'video' | 'audio'
  /** Seconds. */
  readonly dts_time: number
  readonly key: boolean
}

/** Lists the packets of a file with ffprobe. */
export async function probe(file: string): Promise<ProbedPacket[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_packets', '-of', 'json', file], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const { packets } = JSON.parse(stdout) as { packets: { codec_type: string; dts_time: string; flags: string }[] }
  return packets.map(({ codec_type, dts_time, flags }) => ({
    codec_type: codec_type as ProbedPacket['codec_type'],
    dts_time: Number(dts_time),
    key: flags.startsWith('K'),
  }))
}

/** Decodes a file. @returns the errors of ffmpeg; empty without errors */
export async function decodeErrors(file: string): Promise<string> {
  // Frames keep their own times: frames before and after a reconnect may be closer than the frame rate allows.
  const times = ['-fps_mode', 'passthrough', '-enc_time_base:v', '1:1000']
  const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', file, ...times, '-f', 'null', '-'])
  return stderr
}
