// A machine of child processes in a temporary folder: starts services and relays of small releases again when they end, as systemd
// does, and survives a kill of the upgrade, which runs as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { lockFile } from '#server/core/lock-file.ts'
import { eventually } from '#server/testing/eventually.ts'
import { installSmall } from './small-release.ts'

/** A finished command. */
export interface Ran {
  readonly code: number | null
  readonly printed: string
}

interface RunOptions {
  /** Kills the command with SIGKILL when it prints this, or when it has called this on the machine. */
  readonly killAt?: string
  readonly env?: NodeJS.ProcessEnv
}

export interface Stage {
  readonly opt: string
  readonly data: string
  /** Folder for archives. */
  readonly shelf: string
  /** Unpacks an archive as the release in use, and starts service and relay. */
  begin(archive: string): Promise<void>
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Version of the ready service. Waits for one. */
  readyVersion(): Promise<string>
  /** Writes a note through the service. @returns all notes */
  write(note: string): Promise<readonly string[]>
  relays(): readonly string[]
  installed(): readonly string[]
  close(): Promise<void>
}

interface Running {
  readonly child: ChildProcess
  readonly version: string
  /** Its first line; empty before. */
  line: string
}

const startRunning = (release: string, name: string, env: NodeJS.ProcessEnv): Running => {
  // Its end of standard input tells it when this process has ended.
  const child = spawn(join(release, 'bin', 'relaydeck'), [name], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const running: Running = { child, version: basename(release), line: '' }
  child.stdout.on('data', (chunk) => (running.line += String(chunk)))
  child.stdin.on('error', () => undefined)
  return running
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Exit code of a service that must not start again. */
const misconfigured = 78

/** Pause before a restart, as `RestartSec` of the unit: a program that cannot run must not take the processor. */
const restartMs = 200

/** The service of a machine: started again when it ends, as its unit is. */
interface Supervised {
  start(): Promise<void>
  restart(): Promise<void>
  /** Asks the running service; null without one. */
  ask(path: string): Promise<Response | null>
  /** Returns the version of the ready service; empty: none. */
  answered(): Promise<string>
  stateOf(version: string): Promise<string>
  version(): string
  close(): Promise<void>
}

function supervise(opt: string, data: string, env: NodeJS.ProcessEnv): Supervised {
  let service: Running | null = null
  let isClosed = false
  /** Number of the last start; an earlier one that still waits is given up. */
  let starts = 0
  let again: NodeJS.Timeout | undefined

  /** As the unit does: waits until no upgrade holds the service, then follows the link. */
  async function start(): Promise<void> {
    const mine = ++starts
    const isGivenUp = () => mine !== starts || isClosed
    await eventually(() => isGivenUp() || lockFile(join(data, 'upgrade.lock'), 0)).then(
      (unlock) => unlock !== true && unlock(),
    )
    if (isGivenUp()) return
    const version = basename(readlinkSync(join(opt, 'current')))
    const started = startRunning(join(opt, 'releases', version), 'serve', env)
    service = started
    started.child.once('exit', (code) => {
      if (service === started && !isClosed && code !== misconfigured) again = setTimeout(start, restartMs)
    })
  }
  async function ask(path: string): Promise<Response | null> {
    const port = /"port":(\d+)/.exec(service?.line ?? '')?.[1]
    return port === undefined ? null : fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
  }
  async function answered(): Promise<string> {
    const answer = await ask('/readyz')
    return answer?.ok ? answer.text() : ''
  }
  return {
    start,
    ask,
    answered,
    async restart() {
      clearTimeout(again)
      const old = service
      service = null
      if (old) await end(old)
      void start()
    },
    async stateOf(version) {
      if (service?.version !== version) return 'starting'
      if (service.child.exitCode === misconfigured) return 'failed'
      return (await answered()) === version ? 'ready' : 'starting'
    },
    version: () => service?.version ?? '',
    async close() {
      isClosed = true
      clearTimeout(again)
      if (service) await end(service)
    },
  }
}

export async function createStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-stage-'))
  const [opt, data, shelf] = ['opt', 'data', 'shelf'].map((name) => join(folder, name)) as [string, string, string]
  for (const each of [opt, data, shelf, join(opt, 'releases')]) mkdirSync(each)
  const env = { ...process.env, DATA_DIR: data }
  const service = supervise(opt, data, env)
  const relays = new Map<string, Running>()
  let onCall: (name: string) => void = () => undefined
  const folderOf = (version: string) => join(opt, 'releases', version)

  async function stopRelay(version: string): Promise<void> {
    const running = relays.get(version)
    relays.delete(version)
    if (running) await end(running)
  }
  const operations: Readonly<Record<string, (version: string) => unknown>> = {
    restart: service.restart,
    stateOf: service.stateOf,
    writeUnits: () => [],
    relays: () => [...relays.keys()],
    startRelay: (version) =>
      relays.has(version) || void relays.set(version, startRunning(folderOf(version), 'relay', env)),
    isRelayConnected: (version) => relays.get(version)?.line.includes('connected') ?? false,
    drainRelay: stopRelay,
    stopRelay,
    used: () => [service.version(), ...relays.keys()],
  }
  const control = createServer(async (request, response) => {
    const [, name = '', version = ''] = (request.url ?? '').split('/')
    const answer = await operations[name]?.(version)
    onCall(name)
    response.end(JSON.stringify(answer ?? null))
  })
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  const address = `http://127.0.0.1:${(control.address() as AddressInfo).port}`

  return {
    opt,
    data,
    shelf,
    async begin(archive) {
      const version = await installSmall(opt, archive)
      await service.start()
      operations['startRelay']?.(version)
    },
    async run(args, { killAt, env: more } = {}) {
      const program = join(import.meta.dirname, 'program.ts')
      const child = spawn(process.execPath, [program, opt, data, address, ...args], {
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      const kill = (text: string) => killAt !== undefined && text.includes(killAt) && child.kill('SIGKILL')
      onCall = kill
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          printed += String(chunk)
          kill(printed)
        })
      const [code] = (await once(child, 'close')) as [number | null]
      onCall = () => undefined
      return { code, printed }
    },
    readyVersion: () => eventually(service.answered),
    async write(note) {
      return (await eventually(async () => (await service.ask(`/write/${note}`))?.json())) as readonly string[]
    },
    relays: () => [...relays.keys()],
    installed: () => readdirSync(join(opt, 'releases')).toSorted(),
    async close() {
      control.close()
      await service.close()
      for (const running of relays.values()) await end(running)
      rmSync(dirname(opt), { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
