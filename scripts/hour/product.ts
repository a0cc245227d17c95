// The product as `npm start` runs it: supervisor, service and relay of the build, with a user and a project.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { childOf, program, serviceProcess, signUp, supervisor } from '#server/testing/process.ts'
import { httpRequestOf, requestOf } from '#server/testing/request.ts'
import { poll } from '#scripts/house/poll.ts'

/** Arguments of `npm start` (scripts/house/main.ts). */
const start = ['--max-semi-space-size=1', supervisor, '--max-semi-space-size=2', program]

/** Operations of the user. @throws for any response other than a success, and while the service is down */
export type Api = <O extends Operation>(op: O, input: Input<O>) => Promise<Output<O>>

/** A response other than a success. */
export class RefusedError extends Error {}

/** Memory and open files of a process. */
export interface Usage {
  /** Bytes. */
  readonly memory: number
  readonly files: number
}

export interface Product {
  readonly url: string
  readonly token: string
  readonly projectId: number
  readonly rtmp: number
  readonly srt: number
  readonly folder: string
  readonly api: Api
  /** Statuses of 500 and above that the service answered. */
  readonly failures: string[]
  /** SIGKILL of the service; the supervisor starts it again. */
  killService(): void
  /** SIGTERM of the supervisor, as an init system sends it, and a new start. The relay stays. */
  restartService(): Promise<void>
  usage(): { readonly relay: Usage | null; readonly service: Usage | null }
  /** Entries of the log with a level of error and above, and what the programs wrote beside the log. */
  errors(): string[]
  /** Ends all of it in order. */
  end(): Promise<void>
}

/** Starts the product. @param onEnd registers what kills it */
export async function startProduct(onEnd: (end: () => void) => void): Promise<Product> {
  const [port, rtmp, srt] = [await freePort(), await freePort(), await freePort()]
  const service = serviceProcess({
    PORT: String(port),
    RELAY: 'on',
    RTMP_PORT: String(rtmp),
    SRT_PORT: String(srt),
    ALLOW_PRIVATE_DESTINATIONS: 'on',
    BILLING: 'off',
    // One session for the whole test.
    ACCESS_TTL: '86400',
    LOG_LEVEL: 'info',
  })
  onEnd(() => service.close())
  const failures: string[] = []
  let running = await service.start(start)
  const { url } = running
  const { accessToken: token } = await signUp(url, 'ann@example.com')
  const api: Api = async (op, input) => {
    const answer = await request(url, op, input, token)
    const text = await answer.text()
    if (answer.status >= 500) failures.push(`${op.method} ${op.path} answered ${answer.status}: ${text}`)
    if (!answer.ok) throw new RefusedError(`${op.method} ${op.path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const projectId = (await api(projects.list, {})).results[0]?.id ?? 0
  await poll('the relay', async () =>
    JSON.stringify(await api(rtmpServers.list, { project_id: projectId, interval: 1 })).includes(`:${rtmp}/`),
  )
  // A first start prints a link for the owner.
  const before = service.printed().length
  return {
    url,
    token,
    projectId,
    rtmp,
    srt,
    folder: service.env['DATA_DIR'] ?? '',
    api,
    failures,
    killService() {
      const pid = childOf(running.child.pid)
      if (pid !== 0) process.kill(pid, 'SIGKILL')
    },
    async restartService() {
      const gone = once(running.child, 'exit')
      running.child.kill('SIGTERM')
      await gone
      running = await service.start(start)
    },
    usage: () => ({ relay: usageOf(service.relays().at(-1) ?? 0), service: usageOf(childOf(running.child.pid)) }),
    errors: () => service.printed().slice(before).split('\n').filter(isError),
    async end() {
      const gone = once(running.child, 'exit')
      running.child.kill('SIGINT')
      await gone
      await poll('the end of the relay', () => usageOf(service.relays().at(-1) ?? 0) === null, 20)
    },
  }
}

function request(url: string, op: Operation, input: unknown, token: string): Promise<Response> {
  if (op.placement === 'multipart') {
    const { method, url: path, headers, payload } = requestOf(op, input, { as: token })
    return fetch(url + path, { method, headers, body: payload as FormData })
  }
  const { path, ...init } = httpRequestOf(op, input, { as: token })
  return fetch(url + path, init)
}

/** Levels of pino. */
const errorLevel = 50

function isError(line: string): boolean {
  if (line.trim() === '' || /^(Relaydeck is at|Streams come in at|SRT comes in) /.test(line)) return false
  try {
    return (JSON.parse(line) as { level: number }).level >= errorLevel
  } catch {
    return true
  }
}

/** Null for a process that does not run. */
function usageOf(pid: number): Usage | null {
  try {
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    return Number.isNaN(kilobytes) ? null : { memory: kilobytes * 1024, files: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return null
  }
}
