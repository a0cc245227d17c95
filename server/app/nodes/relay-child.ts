// Relay node of this machine: a child process that the service starts, and restarts when it dies.
// It outlives a restarted or killed service, so that streams continue; the next service receives its connection.
import { type ChildProcess, spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { ownNode } from '#contract/core/codes.ts'
import { machineName } from '#server/relay/machine.ts'
import { portTakenCode, relayProgram } from '#server/relay/program.ts'
import type { Config } from '#server/app/config.ts'
import type { RelayGate, RelayWork } from './relay-gate.ts'
import { relayPath } from './node-connections.ts'

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

/** Starts the node unless it runs. @returns a function that stops it or leaves it to the next service */
export function keepRelay(
  gate: RelayGate,
  log: Logger,
  { env, name }: RelayChildOptions,
): (how: RelayEnd) => Promise<void> {
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
      env: { ...process.env, ...env, RELAY_NAME: name, RELAY_OWNED: 'on' },
    })
    child = started
    const gone = (why: unknown) => {
      if (child !== started) return
      child = null
      if (why !== portTakenCode) return log.warn({ why }, 'The relay has ended')
      clearTimeout(timer)
      const portMs = backoffMs(portWaits, ++taken)
      timer = setTimeout(check, portMs)
      const { RTMP_PORT, RTMPS_PORT } = env
      gate.noteTaken([RTMP_PORT, RTMPS_PORT].map(Number).filter((port) => port > 0))
      log.error(
        { RTMP_PORT, RTMPS_PORT, nextTryInSeconds: portMs / 1000 },
        'The relay does not start: another program listens on its port. Stop that program, or set another port',
      )
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

/** Environment of the service's own node. @param address listen address of the service */
export function relayChildOf(config: Config, address: AddressInfo | string | null, token: string): RelayChildOptions {
  const port = typeof address === 'object' && address ? address.port : config.PORT
  return {
    // On PostgreSQL other machines may run services with nodes, so the name must be unique.
    name: config.DATABASE_URL === '' ? ownNode : machineName(),
    env: {
      SERVICE_URL: `ws://127.0.0.1:${port}${relayPath}`,
      RELAY_TOKEN: token,
      FFMPEG: config.FFMPEG,
      RECORDINGS_DIR: join(config.DATA_DIR, 'recordings'),
      RTMP_HOST: config.RTMP_HOST,
      RTMP_PORT: String(config.RTMP_PORT),
      RTMPS_PORT: String(config.RTMPS_PORT),
      SRT_PORT: String(config.SRT_PORT),
      RELAY_TLS_CERT: config.RELAY_TLS_CERT,
      RELAY_TLS_KEY: config.RELAY_TLS_KEY,
      RELAY_EGRESS_MAX: String(config.RELAY_EGRESS_MAX),
      RELAY_PUBLIC_HOST: config.RELAY_PUBLIC_HOST || hostOf(config.PUBLIC_URL) || config.RTMP_HOST,
      ALLOW_PRIVATE_DESTINATIONS: config.ALLOW_PRIVATE_DESTINATIONS ? 'on' : 'off',
    },
  }
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''
