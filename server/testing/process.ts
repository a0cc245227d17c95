// Runs the service as a separate process, for tests that kill it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { testHosts, type World } from './test-app.ts'

/** Built service and supervisor, as users run them. The tests' set-up rebuilds them when the sources are newer. */
export const program = 'dist/service/service.js'
export const supervisor = 'dist/service/supervisor.js'

export interface Pair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Service with its own data folder, which stays the same across starts. */
export interface ServiceProcess {
  readonly env: NodeJS.ProcessEnv
  /** Starts the service and waits until it prints its address. @param args default: the service without a supervisor */
  start(args?: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }>
  /** Output of all started processes and of the relay that they started. */
  printed(): string
  /** Process ids of the started relay nodes, the newest last. */
  relays(): number[]
  /** Registers a process that ends with the tests. */
  track(child: ChildProcess): ChildProcess
  /** Ends all running processes, relay nodes included, and deletes the data. */
  close(): void
}

/** @param more variables beside the defaults of tests: a free port, open sign-up, no limits, no relay */
export function serviceProcess(more: Readonly<Record<string, string>> = {}): ServiceProcess {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-process-'))
  const running: ChildProcess[] = []
  let all = ''
  const env = {
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: folder,
    PORT: '0',
    RELAY: 'off',
    SIGN_UP: 'open',
    RATE_LIMITS: 'off',
    BACKUPS: 'off',
    LOG_LEVEL: 'warn',
    BILLING: 'plans',
    ...testHosts,
    ...more,
  }
  const relays = () => [...all.matchAll(/^Streams come in at .*\(process (\d+)\)$/gm)].map(([, pid]) => Number(pid))
  const track = (child: ChildProcess) => {
    running.push(child)
    return child
  }
  return {
    env,
    track,
    printed: () => all,
    relays,
    async start(args = [program]) {
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      track(child)
      let printed = ''
      return new Promise((resolve, reject) => {
        child.stdout.on('data', (chunk) => {
          printed += String(chunk)
          all += String(chunk)
          const url = /Relaydeck is at (\S+)/.exec(printed)?.[1]
          if (url !== undefined) resolve({ child, url })
        })
        child.once('exit', () => reject(new Error(`The service did not start: ${printed}`)))
      })
    },
    close() {
      for (const child of running) child.kill('SIGKILL')
      for (const pid of relays()) if (isRelay(pid)) process.kill(pid, 'SIGKILL')
      // The processes may still be writing.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/**
 * Creates a further replica of a world on PostgreSQL, in a process of its own. Close it before the world.
 * @param env settings of the world, with a SECRET
 */
export async function replicaProcess(
  { app }: Pick<World, 'app'>,
  env: Readonly<Record<string, string>> & { readonly SECRET: string },
): Promise<ServiceProcess> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(app.db)
  const url = new URL(process.env['DATABASE_URL'] ?? '')
  url.searchParams.set('options', `-c search_path=${rows[0]?.schema}`)
  return serviceProcess({ ...env, DATABASE_URL: url.href })
}

/** Running processes with their parents and commands. */
const processes = () =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [])
    .map(([, pid, parent, command = '']) => ({ pid: Number(pid), parent: Number(parent), command }))

/** Returns the id of the first running child of a process, 0 without one. */
export const childOf = (id: number | undefined): number => processes().find(({ parent }) => parent === id)?.pid ?? 0

/** The id may belong to another process by now. */
const isRelay = (id: number): boolean =>
  processes().some(({ pid, command }) => pid === id && command.includes('relay.js'))

/** Sends a POST with JSON. @throws for any response other than a success */
export async function post<T = Pair>(url: string, body: object, token?: string): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `oauth ${token}` }),
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Creates an account on the built-in sign-in pages, as a browser without JavaScript does, and signs in. */
export async function signUp(url: string, email: string): Promise<Pair> {
  const flow = { redirect: `${url}/auth/callback`, state: 'a-state-of-this-test' }
  const page = `${url}/auth/local/sign-up`
  const opened = await fetch(page)
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ''
  const form = new URLSearchParams({ ...flow, csrf, email, name: 'Ann', password: 'correct horse battery' })
  const sent = await fetch(page, { method: 'POST', redirect: 'manual', headers: { cookie }, body: form })
  const code = URL.parse(sent.headers.get('location') ?? '')?.searchParams.get('code')
  return post(`${url}/method/auth/app/exchange`, { code, state: flow.state })
}
