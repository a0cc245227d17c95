// Programs of a cluster: each starts on its machine, is killed, paused, cut off and started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childOf } from '#server/testing/process.ts'
import { poll } from '#scripts/house/poll.ts'
import { type Machine, on } from './network.ts'

/** A program on a machine. */
export interface Program {
  readonly machine: Machine
  start(): void
  /** SIGKILL, of the program itself where a supervisor runs it. */
  kill(): Promise<void>
  /** Ends it, as an init system does; `start` runs it again. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** SIGSTOP and SIGCONT, of the program itself. */
  pause(isPaused: boolean): void
  /** Moves its wall clock, seconds; its monotonic time is not affected. */
  moveClock(seconds: number): void
  /** Ends that the test did not cause. */
  readonly faults: string[]
}

interface ProgramOptions {
  readonly machine: Machine
  /** Folder for its clock and its log. */
  readonly folder: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Runs the program as its child and starts it again, as the supervisor of the service does. */
  readonly isSupervised: boolean
}

/** An init system starts a killed relay again after this time, milliseconds. */
const restartMs = 500

/** Returns the library that changes the wall clock of a program; empty where it is missing. */
export function clockLibrary(): string {
  const [file = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  return file
}

/** Prepares a program; `start` runs it. */
export function programOf({ machine, folder, command, env, isSupervised }: ProgramOptions): Program {
  mkdirSync(folder, { recursive: true })
  const clock = join(folder, 'clock')
  const moveClock = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
  moveClock(0)
  const log = createWriteStream(join(folder, 'log'))
  const faked = {
    LD_PRELOAD: clockLibrary(),
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_CACHE_DURATION: '1',
  }
  let child: ChildProcess | null = null
  let isWanted = false
  const faults: string[] = []

  function start(): void {
    isWanted = true
    const started = spawn('ip', [...on(machine), ...command], {
      env: { ...process.env, ...env, ...faked },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => log.write(chunk))
    started.once('exit', (code, signal) => {
      if (child === started) child = null
      if (!isWanted) return
      if (signal !== 'SIGKILL') faults.push(`${machine} ended with ${signal ?? code}`)
      setTimeout(() => isWanted && start(), restartMs)
    })
  }
  /** Process id of the program itself; 0 while it does not run. */
  const pid = (): number => (child?.pid === undefined ? 0 : isSupervised ? childOf(child.pid) : child.pid)
  const signal = (name: NodeJS.Signals) => {
    const id = pid()
    if (id !== 0) process.kill(id, name)
  }
  return {
    machine,
    start,
    moveClock,
    faults,
    pause: (isPaused) => signal(isPaused ? 'SIGSTOP' : 'SIGCONT'),
    async kill() {
      const before = pid()
      if (before === 0) return
      process.kill(before, 'SIGKILL')
      await poll(`${machine} to die`, () => !isAlive(before), 20)
    },
    async end(how = 'SIGTERM') {
      isWanted = false
      const running = child
      if (!running) return
      const ended = once(running, 'exit')
      running.kill(how)
      await ended
    },
  }
}

function isAlive(id: number): boolean {
  try {
    // A zombie has ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}
