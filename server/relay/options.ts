// Environment variables of a relay node. The service sets all of them for the node that it starts.
import type { NodeOptions } from './node-options.ts'
import { availableParallelism, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import {
  type Environment,
  flag,
  folderPath,
  portOrOff,
  type ReadVariables,
  readVariables,
  variable,
  whole,
} from '#server/core/variables.ts'
import { machineName } from './machine.ts'
import { isShared, type ProcessPlace, processName } from './processes.ts'

const text = z.string()
const degrees = (most: number) =>
  z.pipe(z.string(), z.pipe(z.transform(Number), z.number().check(z.minimum(-most), z.maximum(most))))

export const relayVariables = {
  SERVICE_URL: variable(
    text,
    'ws://127.0.0.1:8080/relay',
    'Address of the service: `ws://` or `wss://`, ending with `/relay`',
  ),
  RELAY_TOKEN: variable(text, '', 'Token that authenticates the node; the same value as in the service'),
  RELAY_NAME: variable(
    z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/)),
    machineName(),
    'Name of the machine, which has the recordings; must not change at a restart',
  ),
  RELAY_PROCESSES: variable(
    z.union([z.literal('auto'), whole(1, 64)]),
    '1',
    'Processes of the relay on the same ports; `auto`: one per processor. A process carries some 140 broadcasts',
  ),
  RELAY_GENERATION: variable(
    z.string().check(z.regex(/^[a-zA-Z0-9.+-]{0,40}$/)),
    '',
    'Generation of the processes, such as a release: two generations listen on the same ports, so that one drains while the next one accepts. Empty: one generation',
  ),
  RELAY_PROCESS: variable(whole(0, 64), '0', 'Set by the supervisor: number of the process'),
  RELAY_PULL_PORTS: variable(
    z.string().check(z.regex(/^(\d{1,5}(-\d{1,5})?)?$/)),
    '',
    'Ports for players where processes share the others, such as `1940-1959`: each process takes one, on TCP and UDP. Empty: free ports',
  ),
  RELAY_CITY: variable(
    z.string().check(z.minLength(1), z.maxLength(100)),
    hostname().slice(0, 100),
    'City or place of the node, shown to users',
  ),
  RELAY_COUNTRY: variable(
    z.string().check(z.regex(/^[A-Z]{2}$/)),
    'ZZ',
    'Country code of two letters (ISO 3166-1); `ZZ`: unknown',
  ),
  RELAY_LATITUDE: variable(degrees(90), '0', 'Degrees north'),
  RELAY_LONGITUDE: variable(degrees(180), '0', 'Degrees east'),
  RELAY_PUBLIC_HOST: variable(text, '127.0.0.1', 'Host name or address that encoders connect to'),
  RELAY_PING_HOST: variable(
    text,
    '',
    'Host and port that answer `GET /healthz`, so that browsers can measure the latency; empty: no measurement',
  ),
  RTMP_HOST: variable(text, '127.0.0.1', 'Address to listen on for encoders'),
  RTMP_PORT: variable(whole(0, 65_535), '1935', 'Port for encoders; 0: a free port'),
  RTMPS_PORT: variable(whole(0, 65_535), '1936', 'Port for encoders over RTMPS; needs a certificate'),
  SRT_PORT: variable(
    portOrOff,
    '9710',
    'UDP port for SRT encoders and players; needs ffmpeg; 0: a free port, `off`: no SRT',
  ),
  RELAY_TLS_CERT: variable(
    text,
    '',
    'File with the certificate chain for RTMPS (PEM); reloaded when it changes. Empty: no RTMPS',
  ),
  RELAY_TLS_KEY: variable(text, '', 'File with the private key of the certificate (PEM)'),
  FFMPEG: variable(text, 'ffmpeg', 'Name or path of ffmpeg; empty: features that need ffmpeg are off'),
  RELAY_TRANSCODERS: variable(
    whole(0, 1000),
    String(availableParallelism()),
    'Maximum of concurrent transcoders; each uses a third of a processor or more. Default: one per processor',
  ),
  RELAY_CARD_TRANSCODERS: variable(
    whole(0, 1000),
    '4',
    'Maximum of concurrent transcoders on the graphics card, beside those of the processor; used where ffmpeg encodes with it at the start. 0: the card is not used',
  ),
  RELAY_EGRESS_MAX: variable(
    whole(0, 1_000_000),
    '0',
    'Maximum that the node sends to channels and players together, in Mbit/s; 0: no limit. New outputs queue; live outputs are not affected',
  ),
  RECORDINGS_DIR: variable(
    folderPath,
    'data/recordings',
    'Folder of recordings, not below /proc or /sys; empty: no recording',
  ),
  FILMS_DIR: variable(
    folderPath,
    '',
    'Folder where the node keeps clips and scheduled files in the form of its streams, not below /proc or /sys; it can be emptied at any time. Empty: `.films` in `RECORDINGS_DIR`, without recordings `data/films`',
  ),
  RELAY_FILMS_GB: variable(
    whole(0, 100_000),
    '0',
    'Most gigabytes in `FILMS_DIR`, of all processes of the machine. A file of the media library may have half of it. 0: half of what the folder has and of the free space of its disk',
  ),
  RELAY_GRACE: variable(
    whole(0, 3600),
    '30',
    'Seconds that channels wait for a lost encoder, unless the service sets another value',
  ),
  RELAY_DRAIN: variable(
    whole(0, 10_080),
    '720',
    'Minutes after which a drain that SIGUSR2 began disconnects the encoders that are left',
  ),
  RELAY_GATHER_MS: variable(
    whole(0, 100),
    '8',
    'Milliseconds that audio waits for the next video frame to be sent with it. A higher value uses less processor: 40 covers 25 frames a second',
  ),
  RELAY_OWNED: variable(flag, 'off', 'Set by the service for the node that it starts itself'),
  ALLOW_PRIVATE_DESTINATIONS: variable(flag, 'off', '`on`: channels can send to this machine and to private networks'),
} as const

/** Reads the options of a node. `drainMs`: deadline of a drain that a signal begins, milliseconds. @throws ConfigError for the first invalid variable */
export function nodeOptions(
  env: Environment,
  hooks: Pick<NodeOptions, 'log' | 'onQuit'>,
): NodeOptions & { readonly drainMs: number } {
  const read = readVariables(relayVariables, env)
  const place = placeIn(read)
  /** Part of a limit of the machine. The first processes take what cannot be divided. */
  const shareOf = (limit: number) => Math.floor(limit / place.count) + Number(place.number <= limit % place.count)
  return {
    service: read.SERVICE_URL,
    token: read.RELAY_TOKEN,
    about: {
      node: processName(place),
      machine: place.machine,
      city: read.RELAY_CITY,
      country: read.RELAY_COUNTRY,
      lat: read.RELAY_LATITUDE,
      long: read.RELAY_LONGITUDE,
      host: read.RELAY_PUBLIC_HOST,
      pingHost: read.RELAY_PING_HOST,
    },
    listen: { host: read.RTMP_HOST, port: read.RTMP_PORT },
    isShared: isShared(place),
    pullPorts: rangeOf(read.RELAY_PULL_PORTS),
    secure:
      read.RELAY_TLS_CERT === ''
        ? undefined
        : { port: read.RTMPS_PORT, cert: read.RELAY_TLS_CERT, key: read.RELAY_TLS_KEY },
    srtPort: read.SRT_PORT === 'off' ? undefined : read.SRT_PORT,
    bonding: place.count === 1,
    ffmpeg: read.FFMPEG,
    recordings: read.RECORDINGS_DIR === '' ? '' : resolve(read.RECORDINGS_DIR),
    films: filmsFolder(read),
    ...(read.RELAY_FILMS_GB > 0 && { filmBytesMax: read.RELAY_FILMS_GB * 1024 ** 3 }),
    preparing: resolve(read.RECORDINGS_DIR || 'data', '.preparing'),
    transcoders: shareOf(read.RELAY_TRANSCODERS),
    cardTranscoders: shareOf(read.RELAY_CARD_TRANSCODERS),
    egressKbps: shareOf(read.RELAY_EGRESS_MAX * 1000),
    gatherMs: read.RELAY_GATHER_MS,
    graceMs: read.RELAY_GRACE * 1000,
    drainMs: read.RELAY_DRAIN * 60_000,
    dial: { allowPrivateDestinations: read.ALLOW_PRIVATE_DESTINATIONS },
    owned: read.RELAY_OWNED,
    ...hooks,
  }
}

type Read = ReadVariables<typeof relayVariables>

const filmsFolder = ({ FILMS_DIR, RECORDINGS_DIR }: Read): string =>
  resolve(FILMS_DIR || (RECORDINGS_DIR === '' ? 'data/films' : join(RECORDINGS_DIR, '.films')))

/** Reads the place of a process among those of its machine. @throws ConfigError for the first invalid variable */
export const processPlace = (env: Environment): ProcessPlace & Pick<NodeOptions, 'listen'> => {
  const read = readVariables(relayVariables, env)
  return { ...placeIn(read), listen: { host: read.RTMP_HOST, port: read.RTMP_PORT } }
}

/** `number` 0: the process is the supervisor of several, or the only one. */
function placeIn({ RELAY_NAME, RELAY_GENERATION, RELAY_PROCESS, RELAY_PROCESSES }: Read): ProcessPlace {
  const count = RELAY_PROCESSES === 'auto' ? availableParallelism() : RELAY_PROCESSES
  return { machine: RELAY_NAME, generation: RELAY_GENERATION, number: count === 1 ? 1 : RELAY_PROCESS, count }
}

function rangeOf(ports: string): readonly [number, number] | undefined {
  if (ports === '') return undefined
  const [first = '', last = first] = ports.split('-')
  return [Number(first), Number(last)]
}
