// Runs the service as a user starts it, in a separate folder, and measures start time and memory.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#server/relay/testing/free-port.ts'
import { atEnd } from '#scripts/house/step.ts'

export interface Service {
  readonly url: string
  /** Data folder of the service. */
  readonly data: string
  /** Milliseconds from the command to the first successful response of /readyz. */
  readonly startedIn: number
  /** Process that serves requests. */
  readonly pid: () => number
  /** Resident memory of that process, bytes. */
  readonly memory: () => number
  readonly stop: () => Promise<void>
}

/** Runs `npm start` with an empty SQLite database and without rate limits, and waits until it is ready. */
export async function startService(): Promise<Service> {
  const data = mkdtempSync(join(tmpdir(), 'relaydeck-bench-'))
  const port = await freePort()
  const since = performance.now()
  // A separate process group, so that npm and all its children end together.
  const child = spawn('npm', ['start', '--silent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: data,
      RELAY: 'off',
      RATE_LIMITS: 'off',
      SIGN_UP: 'open',
      BILLING: 'plans',
      LOG_LEVEL: 'warn',
    },
  })
  const stop = atEnd(async () => {
    await endGroup(child)
    rmSync(data, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 3000; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) {
      const startedIn = performance.now() - since
      const pid = () => listener(child)
      return { url, data, startedIn, pid, memory: () => memoryOf(pid()), stop }
    }
    if (child.exitCode !== null) break
    await wait(20)
  }
  await stop()
  throw new Error('The service did not become ready within a minute')
}

/** Ends a process group and waits until all its processes have exited. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
    for (;;) {
      await wait(50)
      process.kill(-pid, 0)
    }
  } catch {
    // The process group is empty.
  }
}

/** Returns the last of npm, supervisor and service, which serves requests. The relay is a child of it. */
function listener(child: ChildProcess): number {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = all
    .trim()
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line)?.slice(1) ?? [])
  let pid = String(child.pid ?? 0)
  for (;;) {
    const next = rows.find(([, parent, args]) => parent === pid && !args?.includes('relay.js'))?.[0]
    if (next === undefined) break
    pid = next
  }
  return Number(pid)
}

function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}
