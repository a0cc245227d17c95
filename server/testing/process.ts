// The service as a process of its own, for tests that kill it.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The service as people run it: the tests' set-up builds it when it is older than its sources. */
export const program = 'dist/service/service.js'

export interface Pair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** A service on data of its own: every start finds what the one before left. */
export interface ServiceProcess {
  readonly env: NodeJS.ProcessEnv
  /** Starts it, and waits until it says where it is. */
  start(): Promise<{ readonly child: ChildProcess; readonly url: string }>
  /** What all of them printed, and the relay that they began. */
  printed(): string
  /** A process that ends with the tests. */
  track(child: ChildProcess): ChildProcess
  /** Ends what still runs, and forgets the data. */
  close(): void
}

/** @param more variables beside those that tests want: a free port, open sign-up, no limits, no relay */
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
    LOG_LEVEL: 'warn',
    ...more,
  }
  const track = (child: ChildProcess) => {
    running.push(child)
    return child
  }
  return {
    env,
    track,
    printed: () => all,
    async start() {
      const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
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
      // They may be in the middle of writing.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Posts JSON. @throws for any answer that is not a success */
export async function post<T = Pair>(url: string, body: object, token?: string): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `oauth ${token}` }),
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Makes an account on the service's own pages, as a browser without JavaScript does, and signs in. */
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
