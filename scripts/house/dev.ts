// `npm run dev`: service and Vite side by side, both with reload. When one of them ends, the other ends too.
import { spawn } from 'node:child_process'
import { bin, say, track } from './step.ts'

/** Runs both until one ends. @returns its exit code */
export async function dev(args: readonly string[]): Promise<number> {
  say('The service restarts when server/ or contract/ change; Vite reloads the dashboard')
  const service = ['--watch', '--watch-preserve-output', 'server/app/main.ts']
  const both = [service, [bin('vite'), ...args]].map((command) =>
    track(spawn(process.execPath, command, { stdio: 'inherit' })),
  )
  const code = await new Promise<number>((resolve) => {
    for (const child of both) child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  const left = both.filter((child) => child.exitCode === null && child.signalCode === null)
  const gone = left.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of left) child.kill('SIGTERM')
  await Promise.all(gone)
  return code
}
