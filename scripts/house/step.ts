// Runs tools as child processes, with their output on this terminal, and ends all of them at exit.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const farewells = new Set<() => Promise<void> | void>()

/** Prints one line about the current step. */
export function say(text: string): void {
  console.log(`> ${text}`)
}

/** Returns the JavaScript file behind a package's command, so that it starts the same way on every system. */
export function bin(packageName: string, command = packageName): string {
  const folder = join('node_modules', packageName)
  const { bin: field } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof field === 'string' ? field : field[command])
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Timeout in minutes, after which the tool is stopped with exit code 124. */
  readonly minutes?: number
  readonly quiet?: boolean
  /** Prints the output after the tool has ended, so that parallel tools do not mix theirs. */
  readonly isHeld?: boolean
}

/** Runs a program. @returns its exit code */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<number> {
  const output = options.isHeld ? 'pipe' : 'inherit'
  const child = track(
    spawn(program, args, {
      stdio: options.quiet ? 'ignore' : ['ignore', output, output],
      env: { ...process.env, ...options.env },
    }),
  )
  const held: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => held.push(chunk))
  return new Promise((resolve) => {
    let late = false
    const stop = (): void => {
      late = true
      say(`${[program, ...args].join(' ')} took longer than ${options.minutes} minutes and is stopped`)
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
    }
    const timer = options.minutes === undefined ? undefined : setTimeout(stop, options.minutes * 60_000)
    child.on('error', (error) => {
      console.error(error.message)
      clearTimeout(timer)
      resolve(127)
    })
    // With pipes `close` comes after the last output.
    child.on('close', (code) => {
      clearTimeout(timer)
      process.stdout.write(Buffer.concat(held))
      resolve(late ? 124 : (code ?? 1))
    })
  })
}

/** Runs a JavaScript tool under this Node. */
export function node(script: string, args: readonly string[], options: RunOptions = {}): Promise<number> {
  return run(process.execPath, [script, ...args], options)
}

/** Registers a child process to be ended on SIGINT, SIGTERM and SIGHUP. */
export function track(child: ChildProcess): ChildProcess {
  children.add(child)
  child.on('exit', () => children.delete(child))
  child.on('error', () => children.delete(child))
  return child
}

/** Registers a cleanup for the end of the process, also by a signal. @returns a function that runs it now */
export function atEnd(farewell: () => Promise<void> | void): () => Promise<void> {
  farewells.add(farewell)
  return async () => {
    if (farewells.delete(farewell)) await farewell()
  }
}

/** On SIGINT, SIGTERM and SIGHUP: ends children, runs cleanups, then ends this process by the same signal. */
export function endOnSignals(): void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const end = async (signal: (typeof signals)[number]): Promise<void> => {
    const gone = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)))
    // A terminal has already sent SIGINT to the children.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) for (const child of children) child.kill(signal)
    const patience = setTimeout(() => children.forEach((child) => child.kill('SIGKILL')), 10_000)
    await Promise.all(gone)
    clearTimeout(patience)
    for (const farewell of farewells) await farewell()
    for (const other of signals) process.removeAllListeners(other)
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.once(signal, () => void end(signal))
}
