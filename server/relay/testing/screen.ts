// Screens of Xvfb for programs with windows.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Starts Xvfb on a display that it chooses. */
export async function startScreen(): Promise<{ readonly display: string; readonly process: ChildProcess }> {
  const process = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const failed = once(process, 'error').then(([error]) => {
    throw error
  })
  const [number] = await Promise.race([once(createInterface(process.stdout), 'line'), failed])
  return { display: `:${number}`, process }
}
