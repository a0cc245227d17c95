import { type ChildProcess } from 'node:child_process'
/** Prints one line about the current step. */
export declare function say(text: string): void
/** Returns the JavaScript file behind a package's command, so that it starts the same way on every system. */
export declare function bin(packageName: string, command?: string): string
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Timeout in minutes, after which the tool is stopped with exit code 124. */
  readonly minutes?: number
  readonly quiet?: boolean
  /** Prints the output after the tool has ended, so that parallel tools do not mix theirs. */
  readonly isHeld?: boolean
}
/** Runs a program. @returns its exit code */
export declare function run(program: string, args: readonly string[], options?: RunOptions): Promise<number>
/** Runs a JavaScript tool under this Node. */
export declare function node(script: string, args: readonly string[], options?: RunOptions): Promise<number>
/** Registers a child process to be ended on SIGINT, SIGTERM and SIGHUP. */
export declare function track(child: ChildProcess): ChildProcess
/** Registers a cleanup for the end of the process, also by a signal. @returns a function that runs it now */
export declare function atEnd(farewell: () => Promise<void> | void): () => Promise<void>
/** On SIGINT, SIGTERM and SIGHUP: ends children, runs cleanups, then ends this process by the same signal. */
export declare function endOnSignals(): void
