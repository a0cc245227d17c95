// Supervisor: runs a Node program, the service, and restarts it with exponential backoff when it dies. Loads no code of the
// service, so that it stays small and cannot fail with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { backoffMs } from '#contract/core/backoff.ts'
import { misconfigured } from './exit-codes.ts'
import { handedOn } from './inherited-sockets.ts'
import { serviceRestarts } from './restarts.ts'
import { writeLine } from '#server/app/http/log-line.ts'

/** After this uptime the next wait is the shortest again. */
const wellMs = 60_000
/** The service ends within 15 s of a signal; one that does not is killed. */
const endMs = 20_000
const warning = 40

let child: ChildProcess | null = null
let restart: NodeJS.Timeout | undefined
let isEnding = false
/** The configuration has worked once: later failures to start are retried, a database may be restarting. */
let wasReady = false
let failures = 0

// The reader of the output may have closed it.
process.stdout.on('error', () => undefined)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal))
// Its default would end the process.
process.on('SIGUSR2', () => undefined)
start()

function start(): void {
  const begun = performance.now()
  const { stdio: sockets, env } = handedOn(process.env, process.pid)
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc', ...sockets] as const
  const started = spawn(process.execPath, process.argv.slice(2), { stdio: [...stdio], env })
  child = started
  started.on('message', (message) => (wasReady ||= message === 'ready'))
  started.on('error', (error) => started.pid === undefined && ended(error.message))
  started.once('exit', (code, signal) => {
    if (isEnding || code === 0 || (code === misconfigured && !wasReady)) process.exit(code ?? 1)
    if (performance.now() - begun >= wellMs) failures = 0
    ended(signal ?? `exit code ${code}`)
  })
}

/** Schedules the restart. @param why of the end */
function ended(why: string): void {
  child = null
  const waitMs = backoffMs(serviceRestarts, ++failures)
  say(`The service died (${why}). Restarting in ${waitMs / 1000} s`)
  restart = setTimeout(start, waitMs)
}

/** Passes a signal on. The service tells repeated ones apart from the first, so a terminal may have sent it as well. */
function end(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void {
  isEnding = true
  clearTimeout(restart)
  if (!child) {
    if (signal === 'SIGINT')
      say(
        'Without a service the relay is not ended. A relay with a broadcast on air keeps running: start and press Ctrl-C',
      )
    process.exit(0)
  }
  // Windows has no signals: Ctrl-C reaches every process of the console, and `kill` would be the end without order.
  if (process.platform !== 'win32') child.kill(signal)
  setTimeout(() => child?.kill('SIGKILL'), endMs).unref()
}

function say(msg: string): void {
  writeLine(`${JSON.stringify({ level: warning, time: Date.now(), pid: process.pid, msg })}\n`)
}
