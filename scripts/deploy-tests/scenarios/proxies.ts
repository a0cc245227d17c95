// Two replicas behind the shipped HAProxy file: restarted in turn under load, and without their database.
import { strict as assert } from 'node:assert'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#server/relay/testing/free-port.ts'
import { selfSigned } from '#server/relay/testing/programs.ts'
import { program, serviceProcess, type ServiceProcess, supervisor } from '#server/testing/process.ts'
import { haproxyFile } from '#scripts/cluster/haproxy-file.ts'
import { poll } from '#scripts/house/poll.ts'
import { proxyLogs } from '#scripts/deploy-tests/proxy-logs.ts'
import { kill, type Stage } from '#scripts/deploy-tests/stage.ts'
import { startPostgres } from '#scripts/house/postgres.ts'

export const name = 'Two replicas behind HAProxy, and the files for nginx and Caddy'
export const needs = ['linux', 'haproxy', 'nginx', 'caddy'] as const

const shipped = (file: string) => readFileSync(join('deploy/proxy', file), 'utf8')

export async function run(stage: Stage): Promise<void> {
  const { check } = stage
  await check('nginx and Caddy accept their files', () => acceptFiles(stage))
  await check('logs of nginx and Caddy have no queries, which hold secrets', async () => {
    const logs = await proxyLogs(stage, '/oauth/authorize?ticket=sentinel-secret')
    assert.match(logs, /\/oauth\/authorize/)
    assert.doesNotMatch(logs, /sentinel-secret/)
  })
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL does not start')
  stage.onClose(postgres.stop)
  const line = await lineTo(new URL(postgres.url))
  stage.onClose(line.away)
  const replicas = [await replica(line.url), await replica(line.url)] as const
  for (const { service } of replicas) stage.onClose(() => service.close())
  for (const one of replicas) {
    one.start()
    await poll('a replica to be ready', async () => (await statusOf(one.port, '/readyz')) === 200)
  }
  const port = await balance(stage, replicas)
  await poll('HAProxy', async () => (await statusOf(port, '/readyz')) === 200)

  await check('a rolling restart under load fails no request', async () => {
    const load = startLoad(port)
    for (const one of replicas) {
      await delay(2_000)
      await one.stop()
      one.start()
      await poll('the restarted replica', async () => (await statusOf(one.port, '/readyz')) === 200)
    }
    await delay(2_000)
    const { answers, failures, slowestMs } = await load.stop()
    stage.measured('requests of the rolling restart', `${answers}, slowest ${Math.round(slowestMs)} ms`)
    assert.deepEqual(failures, [])
    assert.ok(answers > 100)
  })

  await check('without a database the dashboard opens, and a replica that starts meanwhile is ready soon after', () =>
    withoutDatabase(stage, { port, line, replicas }),
  )
}

interface Replica {
  readonly port: number
  readonly service: ServiceProcess
  start(): void
  /** Ends it as an init system does. */
  stop(): Promise<void>
  /** Process ids of all starts. */
  readonly pids: (number | undefined)[]
}

/** A replica below the supervisor. */
async function replica(DATABASE_URL: string): Promise<Replica> {
  const port = await freePort()
  const service = serviceProcess({
    PORT: String(port),
    DATABASE_URL,
    SECRET: 'a secret of the replicas behind HAProxy',
    TRUST_PROXY: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  })
  let child: ChildProcess | null = null
  const pids: (number | undefined)[] = []
  return {
    port,
    service,
    pids,
    start() {
      child = service.track(
        spawn(process.execPath, [supervisor, program], { env: service.env, stdio: ['ignore', 'ignore', 'inherit'] }),
      )
      pids.push(child.pid)
    },
    async stop() {
      if (!child || child.exitCode !== null) throw new Error('The replica has ended by itself')
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts HAProxy with the shipped file, whose addresses and ports are replaced. @returns its port */
async function balance(stage: Stage, [a, b]: readonly [Replica, Replica]): Promise<number> {
  const port = await freePort()
  const config = haproxyFile(`127.0.0.1:${port}`, [`127.0.0.1:${a.port}`, `127.0.0.1:${b.port}`])
  const file = join(stage.folder, 'haproxy.cfg')
  writeFileSync(file, config)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  stage.onClose(() => kill(child))
  return port
}

/** Requests from several addresses, so that both replicas serve some. */
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7']
/** Paths with their status: the dashboard, a file that the database does not have, and an answer without it. */
const paths = [
  ['/config.json', 200],
  ['/files/none.png', 404],
  ['/healthz', 200],
] as const

/** Sends requests until it is stopped. */
function startLoad(port: number) {
  let isOn = true
  let answers = 0
  let slowestMs = 0
  const failures: string[] = []
  const workers = addresses.map(async (from) => {
    for (let n = 0; isOn; n++) {
      const [path, expected] = paths[n % paths.length] ?? paths[0]
      const since = performance.now()
      const status = await statusOf(port, path, from)
      answers += 1
      slowestMs = Math.max(slowestMs, performance.now() - since)
      if (status !== expected) failures.push(`${path} ${status}`)
      await delay(20)
    }
  })
  return {
    async stop() {
      isOn = false
      await Promise.all(workers)
      return { answers, failures, slowestMs }
    },
  }
}

/** Requests a path once. @returns the status, or the code of the failure */
const statusOf = (port: number, path: string, localAddress = '127.0.0.1'): Promise<number | string | undefined> =>
  new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, localAddress, agent: false, timeout: 20_000 }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
      answer.on('error', (error) => resolve(String(error)))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end()
  })

interface Line {
  readonly url: string
  away(): void
  back(): Promise<void>
}

/** A connection to the database that can be cut. */
async function lineTo(real: URL): Promise<Line> {
  const sockets = new Set<Socket>()
  let server: Server
  let port = 0
  const back = async () => {
    server = createServer((near) => {
      const far = connect(Number(real.port), real.hostname)
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket)
        socket
          .on('error', () => undefined)
          .on('close', () => {
            sockets.delete(socket)
            other.destroy()
          })
      }
      near.pipe(far).pipe(near)
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    port = (server.address() as AddressInfo).port
  }
  await back()
  const url = new URL(real)
  url.port = String(port)
  return {
    url: url.href,
    back,
    away() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function withoutDatabase(
  stage: Stage,
  { port, line, replicas }: { readonly port: number; readonly line: Line; readonly replicas: readonly Replica[] },
): Promise<void> {
  const [, second] = replicas
  assert.ok(second)
  line.away()
  await poll('replicas that are not ready', async () => (await statusOf(port, '/readyz')) !== 200)
  const statuses: (number | string | undefined)[] = []
  let isOn = true
  const looking = Promise.all(
    addresses.map(async (from) => {
      for (; isOn; await delay(100)) statuses.push(await statusOf(port, '/config.json', from))
    }),
  )
  await second.stop()
  second.start()
  await poll('the replica that waits', async () => (await statusOf(second.port, '/healthz')) === 200)
  await delay(3_000)
  await line.back()
  const since = performance.now()
  await Promise.all(
    replicas.map(async (one) => poll('readiness', async () => (await statusOf(one.port, '/readyz')) === 200)),
  )
  const readyMs = performance.now() - since
  isOn = false
  await looking
  stage.measured('ready after the return of the database', `${Math.round(readyMs)} ms`)
  stage.measured('dashboard without a database', `${statuses.length} requests`)
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  )
  // Two seconds on a quiet machine; this one runs other tests as well.
  assert.ok(readyMs < 10_000, `It took ${readyMs} ms`)
  assert.deepEqual(
    replicas.map(({ pids }) => pids.length),
    [2, 3],
  )
}

/** Has nginx and Caddy read the shipped files. */
async function acceptFiles({ folder }: Stage): Promise<void> {
  const { cert, key } = await selfSigned(folder)
  const rules = shipped('nginx.conf')
    .replace('/etc/ssl/relaydeck/cert.pem', cert)
    .replace('/etc/ssl/relaydeck/key.pem', key)
    .replaceAll('/var/log/nginx/', `${folder}/`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${join(folder, 'nginx.pid')};\nevents {}\nhttp {\n${rules}\n}\n`)
  execFileSync('nginx', ['-t', '-q', '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  execFileSync('caddy', ['adapt', '--config', 'deploy/proxy/Caddyfile', '--adapter', 'caddyfile', '--validate'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  execFileSync('haproxy', ['-c', '-f', withCertificate(folder, cert, key)], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The shipped HAProxy file with a certificate that exists. */
function withCertificate(folder: string, cert: string, key: string): string {
  const both = join(folder, 'both.pem')
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 })
  const file = join(folder, 'haproxy-tls.cfg')
  writeFileSync(file, shipped('haproxy.cfg').replace('/etc/haproxy/live.example.com.pem', both))
  return file
}
