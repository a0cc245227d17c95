// One run of a program; it ends with the node.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { PassThrough, type Readable, type Writable } from 'node:stream'

export interface LaunchOptions {
  readonly command: string
  /** Never a secret: everybody on the machine can read them. */
  readonly args: readonly string[]
  /** Bytes of output kept for `over`; 0 if the caller reads `stdout`. */
  readonly keepOut?: number
  /** It is ended after so long. */
  readonly timeoutMs?: number
  /** Secrets to remove from the output. */
  readonly secrets?: readonly string[]
}

/** Result of a run. */
export interface Ending {
  /** Null: by a signal, or there is no such program. */
  readonly code: number | null
  /** Kept output. */
  readonly out: Buffer
  /** Its last words, without secrets. */
  readonly said: string
}

export interface Child {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** Never rejects. */
  readonly over: Promise<Ending>
  /** Sends SIGTERM, then SIGKILL after a timeout. */
  stop(): void
}

const saidBytesMax = 4096
/** Time between SIGTERM and SIGKILL, milliseconds. */
const killMs = 3_000

/** Programs that run; none may stay when the process goes, whichever way. */
const running = new Set<{ kill(signal: NodeJS.Signals): boolean }>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a program. Its standard input is a pipe: when the node is killed, it comes to its end, and with it whoever reads
 * a stream from there. It runs below the relay in priority, and knows nothing of the node's environment. Nothing is thrown:
 * one that cannot be started has ended.
 */
export function launch({ command, args, keepOut = 0, timeoutMs, secrets = [] }: LaunchOptions): Child {
  const begun = begin(command, args)
  if (begun instanceof Error) return stillborn(withoutSecrets(begun.message, secrets))
  const child = begun
  running.add(child)
  if (child.pid !== undefined) lower(child.pid)
  const pieces: Buffer[] = []
  let kept = 0
  let said = ''
  // It may end before it has read everything.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined)
  child.stderr.on('data', (text: Buffer) => (said = lastLines(said + text.toString('utf8'))))
  if (keepOut > 0) {
    child.stdout.on('data', (piece: Buffer) => {
      kept += piece.length
      if (kept <= keepOut) pieces.push(piece)
      else stop()
    })
  }
  let killing: NodeJS.Timeout | undefined
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)

  function stop() {
    if (killing) return
    child.kill('SIGTERM')
    killing = setTimeout(() => child.kill('SIGKILL'), killMs)
  }
  const over = new Promise<Ending>((resolve) => {
    const end = (code: number | null) => {
      clearTimeout(timer)
      clearTimeout(killing)
      running.delete(child)
      resolve({ code, out: Buffer.concat(pieces), said: withoutSecrets(said, secrets) })
    }
    // There is no `close` for a program that never was.
    child.once('error', ({ message }) => {
      said ||= message
      if (child.pid === undefined) end(null)
    })
    child.once('close', end)
  })
  return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, over, stop }
}

/** A machine without memory or file descriptors starts nothing; Node says that by throwing, or by leaving out the pipes. */
function begin(command: string, args: readonly string[]): ChildProcessWithoutNullStreams | Error {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  try {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env, detached: false })
    if ((child as ChildProcess).stdin !== null && child.stdin !== undefined) return child
    ;(child as ChildProcess).on('error', () => undefined)
    return new Error('There are no pipes for it')
  } catch (error) {
    return error as Error
  }
}

/** Result of a program that could not be started. */
const stillborn = (said: string): Child => ({
  pid: undefined,
  stdin: new PassThrough().resume(),
  stdout: new PassThrough(),
  over: Promise.resolve({ code: null, out: Buffer.alloc(0), said }),
  stop: () => undefined,
})

/** Whole lines, so that no address loses the beginning that it is known by. */
const lastLines = (text: string): string =>
  text.length <= saidBytesMax
    ? text
    : text.slice(text.indexOf('\n', text.length - saidBytesMax) + 1).slice(-saidBytesMax)

/** Streams go first. */
function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}

/** Programs print whole addresses, and what stands behind the host may be a key. */
function withoutSecrets(said: string, secrets: readonly string[]): string {
  let text = said.replaceAll(/\b([a-z][a-z0-9+]*:\/\/)(?:[^\s/@]*@)?([^\s/?#'"]*)[^\s'"]*/gi, '$1$2/…')
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '…')
  return text.trim()
}
