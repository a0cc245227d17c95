// Relay processes of a machine: their names, and the supervisor of several.
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { ConfigError } from '#server/core/variables.ts'
import { portTakenCode, relayProgram } from './program.ts'

/** A process: one of several, in a generation of them. */
export interface ProcessPlace {
  /** Machine, and its disk. */
  readonly machine: string
  /** Processes that run at the same time and were started together, such as a release. Empty: there is one generation only. */
  readonly generation: string
  /** From 1. */
  readonly number: number
  /** Number of processes of the generation. */
  readonly count: number
}

const nameMax = 64

/**
 * Returns the name of a process as a node, such as `fra-1-1.2.0-2`. A process that has the machine for itself has its name.
 * @throws ConfigError when it is too long
 */
export function processName({ machine, generation, number, count }: ProcessPlace): string {
  if (!isShared({ generation, count })) return machine
  const own = generation.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-')
  const suffix = own === '' ? `-${number}` : `-${own}-${number}`
  const most = nameMax - suffix.length
  if (machine.length > most) throw new ConfigError(`RELAY_NAME must have at most ${most} characters, got '${machine}'`)
  return machine + suffix
}

/** Returns whether other processes of the machine listen on the ports of this one, now or during an upgrade. */
export const isShared = ({ generation, count }: Pick<ProcessPlace, 'generation' | 'count'>): boolean =>
  generation !== '' || count > 1

const restartWaits: Backoff = { firstMs: 500, mostMs: 30_000 }
/** A process that ran for so long has started well, milliseconds. */
const stableMs = 60_000

export interface SupervisorOptions {
  readonly count: number
  readonly env: NodeJS.ProcessEnv
  readonly log: (text: string) => void
  /** Called when all processes have ended. @param code for the exit of the supervisor */
  readonly onEnd: (code: number) => void
}

export interface Supervisor {
  /** Ends all processes by a signal. None is restarted. */
  end(signal: NodeJS.Signals): void
  /** Sends a signal that begins a drain. A process that ends is not restarted. */
  drain(signal: NodeJS.Signals): void
  /** Sends a signal that cancels a drain, and starts the processes that it has ended. */
  resume(signal: NodeJS.Signals): void
}

/** Runs several processes, each with its number in RELAY_PROCESS. One that fails is restarted; one that ends is not. */
export function superviseProcesses({ count, env, log, onEnd }: SupervisorOptions): Supervisor {
  const running = new Map<number, ChildProcess>()
  const waiting = new Set<NodeJS.Timeout>()
  /** Processes that drain, or have cancelled it: they may end already when the signal arrives. */
  const drained = new Set<number>()
  let state: 'runs' | 'drains' | 'ends' = 'runs'
  let isTaken = false

  function start(number: number, failures = 0): void {
    const startedAt = performance.now()
    const child = spawn(process.execPath, [...process.execArgv, ...relayProgram().slice(-1)], {
      env: { ...env, RELAY_PROCESS: String(number) },
      // The channel tells the process that its supervisor has died.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    running.set(number, child)
    child.once('exit', (code, killedBy) => ended(number, { code, killedBy, failures, startedAt }))
    child.once('error', (error) => {
      if (child.pid === undefined) ended(number, { code: error.message, killedBy: null, failures, startedAt })
    })
  }

  function ended(
    number: number,
    end: { code: number | string | null; killedBy: string | null; failures: number; startedAt: number },
  ): void {
    running.delete(number)
    if (end.code === portTakenCode) isTaken = true
    if (isTaken && state !== 'ends') stop('ends', 'SIGTERM')
    const isDrained = drained.delete(number)
    if (end.code === 0 && isDrained && state === 'runs') start(number)
    if (end.code !== 0 && state === 'runs') {
      const failures = performance.now() - end.startedAt > stableMs ? 1 : end.failures + 1
      const ms = backoffMs(restartWaits, failures)
      log(`Relay process ${number} has failed (${end.killedBy ?? end.code}). It restarts in ${Math.ceil(ms / 1000)} s`)
      const timer = setTimeout(() => {
        waiting.delete(timer)
        start(number, failures)
      }, ms)
      waiting.add(timer)
    }
    if (running.size === 0 && waiting.size === 0) onEnd(isTaken ? portTakenCode : 0)
  }

  function stop(next: 'drains' | 'ends', name: NodeJS.Signals): void {
    state = next
    if (next === 'drains') for (const number of running.keys()) drained.add(number)
    for (const timer of waiting) clearTimeout(timer)
    const isOver = waiting.size > 0 && running.size === 0
    waiting.clear()
    for (const child of running.values()) child.kill(name)
    if (isOver) onEnd(0)
  }

  function startMissing(): void {
    for (let number = 1; number <= count; number++) if (!running.has(number)) start(number)
  }

  startMissing()
  return {
    end: (name) => stop('ends', name),
    drain: (name) => stop('drains', name),
    resume(name) {
      if (state === 'ends') return
      state = 'runs'
      for (const child of running.values()) child.kill(name)
      // A process that waits for its restart is started then.
      if (waiting.size === 0) startMissing()
    },
  }
}

/** Resolves when no program listens on a port. @throws with the code EADDRINUSE, and the port */
export async function mustBeFree(port: number, host: string | undefined): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}
