// What an encoder is told: the address of a server with the person's key in it, in the pieces that programs ask for.
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { keyPlaceholder } from '#contract/entities/ingest.ts'
import type { Latency } from './queries.ts'
import { isReady } from './server-state.ts'

/** Ways to send. */
export const protocols = ['rtmp', 'rtmps', 'srt'] as const
export type Protocol = (typeof protocols)[number]

/** The protocols that a server takes. */
export const protocolsOf = (server: IngestServer | undefined): Protocol[] =>
  protocols.filter((protocol) => server?.urls[protocol] !== undefined)

/** An address in pieces. With SRT the key is a part of the address, and `server` is no use without it. */
export interface EncoderAddress {
  readonly server: string
  /** With the key. With SRT the key is what encrypts: it does not go over the line. A secret. */
  readonly whole: string
  /** For programs that know no passphrase in an address. A secret. */
  readonly plain: string
}

/** What a caller by SRT says instead of the key that it encrypts by. */
export const streamIdOf = (projectId: number): string => `project/${projectId}`

/** The address for a project's key; null when the server does not take the protocol, or there is no server. */
export function encoderAddress(
  server: IngestServer | undefined,
  protocol: Protocol,
  { projectId, key }: { readonly projectId: number; readonly key: string },
): EncoderAddress | null {
  const url = server?.urls[protocol]
  if (!url) return null
  const { value, mask } = url
  const plain = mask.replace(keyPlaceholder, () => encodeURIComponent(key))
  if (protocol !== 'srt') return { server: value, whole: plain, plain }
  const query = `streamid=${streamIdOf(projectId)}&passphrase=${encodeURIComponent(key)}`
  return { server: value, whole: `${value}${value.includes('?') ? '&' : '?'}${query}`, plain }
}

/** What opens Larix Broadcaster with the connection filled in (its own scheme for settings). A secret. */
export const larixLink = (whole: string): string =>
  `larix://set/v1?conn[][url]=${encodeURIComponent(whole)}&conn[][name]=Relaydeck&conn[][overwrite]=on`

/** Sends a test file by ffmpeg as it is. A secret, unless the address is masked. */
export const ffmpegCommand = (whole: string, protocol: Protocol): string =>
  [
    'ffmpeg -re -i input.mp4',
    '-c:v libx264 -preset veryfast -b:v 4000k -maxrate 4000k -bufsize 8000k',
    '-g 60 -pix_fmt yuv420p -c:a aac -b:a 160k -ar 44100',
    `-f ${protocol === 'srt' ? 'mpegts' : 'flv'} '${whole}'`,
  ].join(' \\\n  ')

/** The healthy server that is nearest to this browser; the service's first where nothing could be measured. */
export function bestServer(
  servers: readonly IngestServer[],
  latencies: ReadonlyMap<string, Latency>,
): IngestServer | undefined {
  const near = servers
    .filter((server) => isReady(server) && typeof latencies.get(server.pingHost) === 'number')
    .toSorted((a, b) => Number(latencies.get(a.pingHost)) - Number(latencies.get(b.pingHost)))
  return near[0] ?? servers.find(isReady) ?? servers[0]
}

/** The host of an address where only the machine itself reaches it: `localhost`, `127.0.0.0/8`, `::1`. Else null. */
export function loopbackHostOf(address: string): string | null {
  const host = /^\w+:\/\/(\[[^\]]*\]|[^:/?]*)/.exec(address)?.[1] ?? ''
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host) ? host : null
}
