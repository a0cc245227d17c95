// Encoder settings: the address of a server with the project's stream key, split into the fields of encoders.
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { backupSuffix, keyPlaceholder } from '#contract/entities/ingest.ts'
import type { Latency } from './queries.ts'
import { isReady } from './server-state.ts'

/** Publishing protocols. */
export const protocols = ['rtmp', 'rtmps', 'srt'] as const
export type Protocol = (typeof protocols)[number]

/** Returns the protocols of a server. */
export const protocolsOf = (server: IngestServer | undefined): Protocol[] =>
  protocols.filter((protocol) => server?.urls[protocol] !== undefined)

/** Address split into fields. With SRT the key is a part of the address, and `server` alone does not work. */
export interface EncoderAddress {
  readonly server: string
  /** Address with the key. With SRT the key is the passphrase: it encrypts and is never sent. A secret. */
  readonly whole: string
  /** Address for encoders without a passphrase parameter. A secret. */
  readonly plain: string
}

/** SRT stream id of a project, sent instead of the key because the key is the passphrase. */
export const streamIdOf = (projectId: number): string => `project/${projectId}`

/** What an address is for. `isBackup`: a backup encoder. */
interface AddressOf {
  readonly projectId: number
  readonly key: string
  readonly isBackup?: boolean
}

/** Returns the address for a stream key; null without a server, or for a protocol that the server lacks. */
export function encoderAddress(
  server: IngestServer | undefined,
  protocol: Protocol,
  { projectId, key, isBackup = false }: AddressOf,
): EncoderAddress | null {
  const url = server?.urls[protocol]
  if (!url) return null
  const { value, mask } = url
  const suffix = isBackup ? backupSuffix : ''
  const plain = mask.replace(keyPlaceholder, () => encodeURIComponent(key) + suffix)
  if (protocol !== 'srt') return { server: value, whole: plain, plain }
  const query = `streamid=${streamIdOf(projectId)}${suffix}&passphrase=${encodeURIComponent(key)}`
  return { server: value, whole: `${value}${value.includes('?') ? '&' : '?'}${query}`, plain }
}

/** Returns the address for a bonded encoder, which uses the SRT port. @param whole SRT address with the key; a secret */
export const bondedAddress = (whole: string): string => whole.replace(/^srt:/, 'srtla:')

/** Deep link that opens Larix Broadcaster with the connection filled in (Larix URL scheme). A secret. */
export const larixLink = (whole: string): string =>
  `larix://set/v1?conn[][url]=${encodeURIComponent(whole)}&conn[][name]=Relaydeck&conn[][overwrite]=on`

/** ffmpeg command that publishes a test file without transcoding. A secret, unless the address is masked. */
export const ffmpegCommand = (whole: string, protocol: Protocol): string =>
  [
    'ffmpeg -re -i input.mp4',
    '-c:v libx264 -preset veryfast -b:v 4000k -maxrate 4000k -bufsize 8000k',
    '-g 60 -pix_fmt yuv420p -c:a aac -b:a 160k -ar 44100',
    `-f ${protocol === 'srt' ? 'mpegts' : 'flv'} '${whole}'`,
  ].join(' \\\n  ')

/** Healthy server with the lowest latency from this browser; the first server without measurements. */
export function bestServer(
  servers: readonly IngestServer[],
  latencies: ReadonlyMap<string, Latency>,
): IngestServer | undefined {
  const near = servers
    .filter((server) => isReady(server) && typeof latencies.get(server.pingHost) === 'number')
    .toSorted((a, b) => Number(latencies.get(a.pingHost)) - Number(latencies.get(b.pingHost)))
  return near[0] ?? servers.find(isReady) ?? servers[0]
}

/** Host of a loopback address (`localhost`, `127.0.0.0/8`, `::1`); null for any other host. */
export function loopbackHostOf(address: string): string | null {
  const host = /^\w+:\/\/(\[[^\]]*\]|[^:/?]*)/.exec(address)?.[1] ?? ''
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host) ? host : null
}
