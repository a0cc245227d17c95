// One run of an external program. It ends with the node.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { type Duplex, PassThrough, type Readable, type Writable } from 'node:stream'

export interface LaunchOptions {
  readonly command: string
  /** Must not contain secrets: every user of the machine can read arguments. */
  readonly args: readonly string[]
  /** Bytes of output kept for `over`; 0 if the caller reads `stdout`. */
  readonly keepOut?: number
  /** Timeout, milliseconds. */
  readonly timeoutMs?: number
  /** Environment beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>
  /** Secrets to remove from the output. */
  readonly secrets?: readonly string[]
  /** Number of further outputs, `pipe:3` and up. Default: none. */
  readonly outputs?: number
  /** Limits that the system enforces, where it can. Default: none. */
  readonly limits?: Limits
  /**
   * It writes a file: ffmpeg does not end when its pipes break, so a watcher ends it when the node is killed. So it is with `limits`.
   * Neither of them beside `outputs`. Default: false.
   */
  readonly writesFile?: boolean
}

/** Limits of a program that reads hostile files. */
export interface Limits {
  /** Address space, bytes. */
  readonly memory: number
  /** Largest file that it writes, bytes: the program ends by a signal at the limit. Default: none. */
  readonly file?: number
}

/** Result of a run. */
export interface Ending {
  /** Null: ended by a signal, or not started. */
  readonly code: number | null
  /** Kept output. */
  readonly out: Buffer
  /** Last lines of the error output, without secrets. */
  readonly said: string
}

export interface Child {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** Further outputs, from `pipe:3` on. The caller reads them, or the program blocks. */
  readonly more: readonly Readable[]
  /** Never rejects. */
  readonly over: Promise<Ending>
  /** Sends SIGTERM, then SIGKILL after a timeout. */
  stop(): void
}

const saidBytesMax = 4096
/** Time between SIGTERM and SIGKILL, milliseconds. */
const killMs = 3_000

/** Running programs, which end with the process. */
const running = new Set<{ kill(signal: NodeJS.Signals): boolean }>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a program. Its standard input is a pipe, which closes when the node is killed, so that a program that reads a stream
 * from it exits too. It has a lower priority than the relay and none of the node's environment. Never throws: a program
 * that cannot be started is reported as ended.
 */
export function launch(options: LaunchOptions): Child {
  const { keepOut = 0, timeoutMs, secrets = [], outputs = 0 } = options
  const begun =
    options.writesFile || options.limits ? beginWatched(options) : begin(options.command, options.args, options)
  if (begun instanceof Error) return stillborn(withoutSecrets(begun.message, secrets), outputs)
  const child = begun
  running.add(child)
  if (child.pid !== undefined) lower(child.pid)
  const pieces: Buffer[] = []
  let kept = 0
  let said = ''
  // The program may exit before it has read all input.
  const more = child.stdio.slice(3, 3 + outputs) as unknown as Readable[]
  for (const stream of [child.stdin, child.stdout, child.stderr, ...more]) stream.on('error', () => undefined)
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
    // Node emits no `close` for a program that was not started.
    child.once('error', ({ message }) => {
      said ||= message
      if (child.pid === undefined) end(null)
    })
    child.once('close', end)
  })
  return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, more, over, stop }
}

/** Waits for the line that the node writes at the end of the program. When the node is killed, its pipe ends without one. */
const watcher = '(read -r _ <&3 || kill -KILL $$) </dev/null >/dev/null 2>&1 &'
/** macOS knows no limit of memory. */
const limited = ({ memory, file = 0 }: Limits): string =>
  `ulimit -v ${Math.ceil(memory / 1024)} 2>/dev/null;${file === 0 ? '' : ` ulimit -f ${Math.ceil(file / 512)} || exit 1;`}`

/** Starts a program by a shell, which starts the watcher, sets its own limits, and becomes the program. */
function beginWatched({ command, args, env, limits }: LaunchOptions): ChildProcessWithoutNullStreams | Error {
  const script = `${watcher} ${limits ? limited(limits) : ''} exec "$0" "$@" 3<&-`
  const child = begin('sh', ['-c', script, command, ...args], { ...(env && { env }), outputs: 1 })
  if (child instanceof Error) return child
  const line = child.stdio[3] as unknown as Duplex
  line.on('error', () => undefined).resume()
  child.once('exit', () => line.end('\n'))
  return child
}

/** Without free memory or file descriptors, Node throws or leaves out the pipes. */
function begin(
  command: string,
  args: readonly string[],
  { env: more, outputs = 0 }: Pick<LaunchOptions, 'env' | 'outputs'>,
): ChildProcessWithoutNullStreams | Error {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', ...more }
  const pipes = Array.from({ length: 3 + outputs }, () => 'pipe' as const)
  try {
    const child = spawn(command, args, { stdio: pipes, env, detached: false }) as ChildProcessWithoutNullStreams
    if ((child as ChildProcess).stdin !== null && child.stdin !== undefined) return child
    ;(child as ChildProcess).on('error', () => undefined)
    return new Error('There are no pipes for it')
  } catch (error) {
    return error as Error
  }
}

/** Result of a program that could not be started. */
const stillborn = (said: string, outputs: number): Child => ({
  pid: undefined,
  stdin: new PassThrough().resume(),
  stdout: new PassThrough(),
  more: Array.from({ length: outputs }, () => new PassThrough()),
  over: Promise.resolve({ code: null, out: Buffer.alloc(0), said }),
  stop: () => undefined,
})

/** Splits into whole lines, so that every address keeps the prefix by which it is masked. */
const lastLines = (text: string): string =>
  text.length <= saidBytesMax
    ? text
    : text.slice(text.indexOf('\n', text.length - saidBytesMax) + 1).slice(-saidBytesMax)

/** Streams go first. */
function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has already exited.
  }
}

/** Masks addresses in the output: the path of an address may contain a key. */
function withoutSecrets(said: string, secrets: readonly string[]): string {
  let text = said.replaceAll(/\b([a-z][a-z0-9+]*:\/\/)(?:[^\s/@]*@)?([^\s/?#'"]*)[^\s'"]*/gi, '$1$2/…')
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '…')
  return text.trim()
}
