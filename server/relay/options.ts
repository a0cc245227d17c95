// Environment variables of a relay node. The service sets all of them for the node that it starts.
import type { NodeOptions } from './node-options.ts'
import { availableParallelism, hostname } from 'node:os'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { flag, portOrOff, readVariables, variable, whole } from '#server/core/variables.ts'
import { machineName } from './machine.ts'

const text = z.string()
const degrees = (most: number) =>
  z.pipe(z.string(), z.pipe(z.transform(Number), z.number().check(z.minimum(-most), z.maximum(most))))

export const relayVariables = {
  SERVICE_URL: variable(
    text,
    'ws://127.0.0.1:8080/relay',
    'Where the service is: its address with `ws` or `wss`, and `/relay`',
  ),
  RELAY_TOKEN: variable(text, '', 'What the node proves itself with; the same as the service’s'),
  RELAY_NAME: variable(
    z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/)),
    machineName(),
    'What the node is called, the same after a restart',
  ),
  RELAY_CITY: variable(
    z.string().check(z.minLength(1), z.maxLength(100)),
    hostname().slice(0, 100),
    'Where the node is, as people read it',
  ),
  RELAY_COUNTRY: variable(
    z.string().check(z.regex(/^[A-Z]{2}$/)),
    'ZZ',
    'Country by its two letters (ISO 3166-1); `ZZ` where nobody said',
  ),
  RELAY_LATITUDE: variable(degrees(90), '0', 'Degrees north'),
  RELAY_LONGITUDE: variable(degrees(180), '0', 'Degrees east'),
  RELAY_PUBLIC_HOST: variable(text, '127.0.0.1', 'Name or address that encoders reach the node by'),
  RELAY_PING_HOST: variable(
    text,
    '',
    'Host and port that answer `GET /healthz`, so that browsers can measure the latency; empty: they cannot',
  ),
  RTMP_HOST: variable(text, '127.0.0.1', 'Address to listen on for encoders'),
  RTMP_PORT: variable(whole(0, 65_535), '1935', 'Port to listen on for encoders; 0 takes a free one'),
  RTMPS_PORT: variable(
    whole(0, 65_535),
    '1936',
    'Port to listen on for encoders by RTMPS, where there is a certificate',
  ),
  SRT_PORT: variable(
    portOrOff,
    '9710',
    'UDP port to listen on for SRT, encoders and players, where there is ffmpeg; 0 takes a free one, `off`: no SRT',
  ),
  RELAY_TLS_CERT: variable(
    text,
    '',
    'File with the certificate for RTMPS and its chain (PEM); read again when it changes. Empty: no RTMPS',
  ),
  RELAY_TLS_KEY: variable(text, '', 'File with the key of that certificate (PEM)'),
  FFMPEG: variable(text, 'ffmpeg', 'Name or path of ffmpeg; empty: do without what needs it'),
  RELAY_TRANSCODERS: variable(
    whole(0, 1000),
    String(availableParallelism()),
    'Transcoders that may run at a time; each takes a third of a processor and more. Not set: one a processor',
  ),
  RELAY_EGRESS_MAX: variable(
    whole(0, 1_000_000),
    '0',
    'Megabits per second that the node sends at most, to channels and players together; 0: as much as it can. Who is above it waits for room, who is live goes on',
  ),
  RECORDINGS_DIR: variable(text, 'data/recordings', 'Folder of recordings; empty: nothing is recorded'),
  RELAY_GRACE: variable(
    whole(0, 3600),
    '30',
    'Seconds that channels are kept while the encoder is away, where the service does not say',
  ),
  RELAY_GATHER_MS: variable(
    whole(0, 100),
    '8',
    'Milliseconds that a sound may wait for the next picture, to go out with it. More costs less processor: 40 for all of 25 pictures a second',
  ),
  RELAY_OWNED: variable(flag, 'off', 'Set by the service for the node that it starts itself'),
  ALLOW_PRIVATE_DESTINATIONS: variable(flag, 'off', '`on`: channels may send to this machine and to private networks'),
} as const

/** Reads the options of a node. @throws ConfigError for the first invalid variable */
export function nodeOptions(
  env: Readonly<Record<string, string | undefined>>,
  hooks: Pick<NodeOptions, 'log' | 'onQuit'>,
): NodeOptions {
  const read = readVariables(relayVariables, env)
  return {
    service: read.SERVICE_URL,
    token: read.RELAY_TOKEN,
    about: {
      node: read.RELAY_NAME,
      city: read.RELAY_CITY,
      country: read.RELAY_COUNTRY,
      lat: read.RELAY_LATITUDE,
      long: read.RELAY_LONGITUDE,
      host: read.RELAY_PUBLIC_HOST,
      pingHost: read.RELAY_PING_HOST,
    },
    listen: { host: read.RTMP_HOST, port: read.RTMP_PORT },
    secure:
      read.RELAY_TLS_CERT === ''
        ? undefined
        : { port: read.RTMPS_PORT, cert: read.RELAY_TLS_CERT, key: read.RELAY_TLS_KEY },
    srtPort: read.SRT_PORT === 'off' ? undefined : read.SRT_PORT,
    ffmpeg: read.FFMPEG,
    recordings: read.RECORDINGS_DIR === '' ? '' : resolve(read.RECORDINGS_DIR),
    transcoders: read.RELAY_TRANSCODERS,
    egressKbps: read.RELAY_EGRESS_MAX * 1000,
    gatherMs: read.RELAY_GATHER_MS,
    graceMs: read.RELAY_GRACE * 1000,
    dial: { allowPrivateDestinations: read.ALLOW_PRIVATE_DESTINATIONS },
    owned: read.RELAY_OWNED,
    ...hooks,
  }
}
