// A PostgreSQL of our own for the service tests: a cluster in a temporary folder, on a free loopback port, owned by an
// unprivileged user, gone when the tests are.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '#server/relay/testing/free-port.ts'
import { aptInstall, isRoot } from './debian.ts'
import { atEnd, say, track } from './step.ts'

const oldest = 15
const exe = (name: string): string => (process.platform === 'win32' ? `${name}.exe` : name)
// Safety is for data that somebody wants to keep.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'fatal',
}

/** A running throw-away PostgreSQL. */
export interface Postgres {
  readonly url: string
  readonly version: number
  readonly stop: () => Promise<void>
}

/** Starts one, installing it first where that is possible; nothing when it cannot be had. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const found = findPostgres() ?? ((await install()) ? findPostgres() : undefined)
  if (!found) return undefined
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-postgres-'))
  const data = join(folder, 'data')
  const password = randomBytes(16).toString('hex')
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, join(folder, 'password')]) chownSync(path, user.uid, user.gid)

  const initdb = ['-D', data, '-U', 'relaydeck', '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`]
  const options = { ...user, cwd: folder, env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC' } }
  execFileSync(join(found.bin, exe('initdb')), [...initdb, '--no-locale', '--encoding=UTF8', '--no-sync'], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const flags = Object.entries({ ...settings, port: String(port) }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const server = track(
    spawn(join(found.bin, exe('postgres')), ['-D', data, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const stop = atEnd(async () => {
    // SIGQUIT is PostgreSQL's immediate shutdown: nothing here is worth a checkpoint.
    if (server.exitCode === null && server.kill('SIGQUIT')) await new Promise((resolve) => server.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `postgres://relaydeck:${password}@127.0.0.1:${port}/postgres`
  if (await answers(url)) return { url, version: found.version, stop }
  await stop()
  return undefined
}

/** The folder of the newest installed PostgreSQL that is new enough. */
function findPostgres(): { bin: string; version: number } | undefined {
  const under = (folder: string, rest: string): string[] =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, rest)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt', 'C:/Program Files/PostgreSQL'].flatMap((folder) =>
      under(folder, 'bin'),
    ),
    ...['/usr/pgsql-15', '/usr/pgsql-16', '/usr/pgsql-17', '/usr/pgsql-18'].map((folder) => join(folder, 'bin')),
  ]
  const installed = folders
    .filter((folder) => existsSync(join(folder, exe('initdb'))) && existsSync(join(folder, exe('postgres'))))
    .map((folder) => {
      const { stdout } = spawnSync(join(folder, exe('postgres')), ['--version'], { encoding: 'utf8' })
      return { bin: folder, version: Number(/\d+/.exec(stdout ?? '')?.[0] ?? 0) }
    })
  return installed.filter(({ version }) => version >= oldest).toSorted((a, b) => b.version - a.version)[0]
}

/** Debian starts a cluster of its own with the package, unless it is told not to. */
function install(): Promise<boolean> {
  const folder = '/etc/postgresql-common/createcluster.d'
  if (isRoot && existsSync('/usr/bin/apt-get') && !existsSync('/etc/postgresql-common')) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'relaydeck-tests.conf'), 'create_main_cluster = false\n')
  }
  return aptInstall('postgresql', 'PostgreSQL for the service tests')
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (!isRoot) return {}
  const id = (flag: string, name: string): number =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim() || Number.NaN)
  const name = Number.isNaN(id('-u', 'postgres')) ? 'nobody' : 'postgres'
  return { uid: id('-u', name), gid: id('-g', name) }
}

async function answers(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.query('select 1')
      await client.end()
      return true
    } catch {
      await client.end().catch(() => undefined)
      await wait(200)
    }
  }
  say('PostgreSQL was started but does not answer')
  return false
}
