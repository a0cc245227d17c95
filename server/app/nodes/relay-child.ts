// Relay node of this machine: a child process that the service starts, and restarts when it dies.
// It outlives a restarted or killed service, so that streams continue; the next service receives its connection.
import { env, flag, portOrOff, settings, anyText, whole } from '#server/core/variables.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { ownNode } from '#contract/core/codes.ts'
import { machineName } from '#server/relay/machine.ts'
import { mustBeFree } from '#server/relay/processes.ts'
import { portTakenCode, relayProgram } from '#server/relay/program.ts'
import type { Config } from '#server/core/settings.ts'
import type { RelayGate, RelayWork } from './relay-gate.ts'
import { relayPath } from './node-connections.ts'

/** Settings of the relay on this machine. */
export const relaySettings = settings({
  runsRelay: env('RELAY', flag, 'on', '`off`: no relay on this machine; remote nodes (`npm run relay`) still connect'),
  relayToken: env(
    'RELAY_TOKEN',
    anyText,
    '',
    'Token that authenticates relay nodes on other machines. Empty: the service accepts its own node only',
  ),
  rtmpHost: env(
    'RTMP_HOST',
    anyText,
    '127.0.0.1',
    'Address of the relay for encoders; `0.0.0.0` for encoders on other machines',
  ),
  rtmpPort: env('RTMP_PORT', whole(0, 65_535), '1935', 'RTMP port of the relay for encoders'),
  rtmpsPort: env('RTMPS_PORT', whole(0, 65_535), '1936', 'RTMPS port of the relay, used with a certificate'),
  srtPort: env(
    'SRT_PORT',
    portOrOff,
    '9710',
    'SRT port (UDP) of the relay for encoders and players, used with ffmpeg; `off`: no SRT',
  ),
  relayTlsCert: env(
    'RELAY_TLS_CERT',
    anyText,
    '',
    'File with another certificate chain for RTMPS (PEM), reloaded when it changes. Empty: TLS_CERT; without both no RTMPS',
  ),
  relayTlsKey: env('RELAY_TLS_KEY', anyText, '', 'File with the key of that certificate (PEM)'),
  relayPublicHost: env(
    'RELAY_PUBLIC_HOST',
    anyText,
    '',
    'Host name or address of the relay for encoders. Empty: the host of PUBLIC_URL, else RTMP_HOST; if that is `0.0.0.0`, the host of the browser’s request',
  ),
  relayEgressMax: env(
    'RELAY_EGRESS_MAX',
    whole(0, 1_000_000),
    '0',
    'Upload limit of the relay for channels and players together, megabits per second; 0: no limit. New outputs queue above it; live outputs are not affected',
  ),
  ffmpeg: env('FFMPEG', anyText, 'ffmpeg', 'Name or path of ffmpeg for stills, MP4 and transcoders; empty: none'),
})

/** Environment variables of the node, in addition to the inherited ones. */
export interface RelayChildOptions {
  readonly env: Readonly<Record<string, string>>
  /** Name of the node, which identifies its connection. */
  readonly name: string
}

/** Fate of the node when the service ends. `keep`: the node continues its broadcasts, for the next service. */
export type RelayEnd = 'keep' | 'end'

/** Time for a node of the previous service to reconnect, milliseconds. */
const adoptMs = 2_500
const againMs = 3_000
/** Waits for a port that another program uses. */
export const portWaits: Backoff = { firstMs: againMs, mostMs: 30_000 }
/** A node of the previous service is replaced after this idle time: its release or configuration may be older. */
const calmMs = 60_000

/** Log texts by activity that continues after the service has ended. */
const kept = {
  'on air': 'its broadcasts on air',
  stopped: 'the encoders of stopped broadcasts connected',
  unknown: 'running',
} satisfies Partial<Record<RelayWork, string>>

/** Returns the ports on which another program listens. */
async function listTaken(ports: readonly number[], host: string | undefined): Promise<number[]> {
  const found = ports.map(async (port) =>
    mustBeFree(port, host).then(
      () => [],
      () => [port],
    ),
  )
  return (await Promise.all(found)).flat()
}

/** Starts the node unless it runs. @returns a function that stops it or leaves it to the next service */
export function keepRelay(gate: RelayGate, log: Logger, options: RelayChildOptions): (how: RelayEnd) => Promise<void> {
  const { name } = options
  let child: ChildProcess | null = null
  let timer = setTimeout(check, adoptMs)
  let busyAt = performance.now()
  let taken = 0

  function check() {
    timer = setTimeout(check, againMs)
    if (child) return
    if (!gate.isHere(name)) return begin()
    taken = 0
    gate.noteTaken(null)
    if (gate.workOf(name) !== 'idle') busyAt = performance.now()
    else if (performance.now() - busyAt > calmMs) void gate.quit(name)
  }

  function begin() {
    const started = spawn(process.execPath, relayProgram(), {
      // A separate process group: a signal to the service's group must not cut streams.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...options.env, RELAY_NAME: name, RELAY_OWNED: 'on' },
    })
    child = started
    const gone = (why: unknown) => {
      if (child !== started) return
      child = null
      if (why !== portTakenCode) return log.warn({ why }, 'The relay has ended')
      clearTimeout(timer)
      const portMs = backoffMs(portWaits, ++taken)
      timer = setTimeout(check, portMs)
      const { RTMP_PORT, RTMPS_PORT } = options.env
      log.error(
        { RTMP_PORT, RTMPS_PORT, nextTryInSeconds: portMs / 1000 },
        'The relay does not start: another program listens on its port. Stop that program, or set another port',
      )
      const ports = [RTMP_PORT, RTMPS_PORT].map(Number).filter((port) => port > 0)
      void listTaken(ports, options.env['RTMP_HOST']).then((found) => {
        if (child === null) gate.noteTaken(found.length > 0 ? found : ports)
      })
    }
    started.once('exit', (code, signal) => gone(signal ?? code))
    started.once('error', gone)
    started.unref()
  }

  return async (how) => {
    clearTimeout(timer)
    const running = child
    child = null
    const work = gate.workOf(name)
    if (how === 'keep' && work !== 'idle') {
      log.info(`The relay keeps ${kept[work]} for the next start. Ctrl-C (SIGINT) ends both`)
      return
    }
    log.info(`The relay ends with the service${work === 'on air' ? ', and broadcasts with it' : ''}`)
    if (!running) return gate.quit(name)
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGTERM')
    await gone
  }
}

/** Environment of the service's own node. @param port of plain HTTP, which the service opens to this machine */
export function relayChildOf(config: Config, port: number, token: string): RelayChildOptions {
  const own = { cert: config.relayTlsCert, key: config.relayTlsKey }
  const { cert, key } = own.cert === '' ? (config.tls ?? own) : own
  return {
    // On PostgreSQL other machines may run services with nodes, so the name must be unique.
    name: config.databaseUrl === '' ? ownNode : machineName(),
    env: {
      SERVICE_URL: `ws://127.0.0.1:${port}${relayPath}`,
      RELAY_TOKEN: token,
      FFMPEG: config.ffmpeg,
      RECORDINGS_DIR: join(config.dataDir, 'recordings'),
      RTMP_HOST: config.rtmpHost,
      RTMP_PORT: String(config.rtmpPort),
      RTMPS_PORT: String(config.rtmpsPort),
      SRT_PORT: String(config.srtPort),
      RELAY_TLS_CERT: cert,
      RELAY_TLS_KEY: key,
      RELAY_EGRESS_MAX: String(config.relayEgressMax),
      RELAY_PUBLIC_HOST: config.relayPublicHost || hostOf(config.publicUrl ?? '') || config.rtmpHost,
      ALLOW_PRIVATE_DESTINATIONS: config.allowPrivateDestinations ? 'on' : 'off',
    },
  }
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''
