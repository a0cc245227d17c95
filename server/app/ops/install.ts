// `relaydeck install`: user, folders, release, settings and units of this machine. Repeating it repairs.
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { root } from '#server/core/root.ts'
import { runTool } from '#server/db/dump.ts'
import { acmeFolder } from './certificate-files.ts'
import type { Layout } from './layout.ts'
import { settingFiles } from './layout.ts'
import { portsOf, type ServicePorts } from './ports.ts'
import { memoryBytes, smallMachine } from './small-machine.ts'
import { factsOf } from './release.ts'
import { changed, valuesOf } from './setting-lines.ts'
import { lastWords, relayUnit, serviceUnit, socketUnit, stateOf, systemctl, writeAddress } from './units.ts'
import { runRelease } from './upgrade/child.ts'
import { refuseElsewhere } from './upgrade/here.ts'
import { folderOf, lockPlace, placeIn, type Place, pointTo, currentVersion } from './upgrade/place.ts'
import { systemdMachine } from './upgrade/systemd.ts'
import { differenceOf } from './upgrade/unpack.ts'
import { UpgradeError } from './upgrade/upgrade-error.ts'

const usage = 'relaydeck install [--domain <name>] [--https] [--port <port>]'
export const dataDir = '/var/lib/relaydeck'
export const cacheDir = '/var/cache/relaydeck'
export const backupDir = '/var/backups/relaydeck'
export const command = '/usr/local/bin/relaydeck'
const user = 'relaydeck'
const readySeconds = 60

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

interface Wanted {
  readonly domain?: string | undefined
  readonly https?: boolean | undefined
  readonly port?: string | undefined
}

/** Installs this release. @param words after the name of the command @throws UpgradeError with a sentence */
export async function install({ opt, etc }: Layout, words: readonly string[]): Promise<void> {
  const wanted = wantedOf(words)
  refuseElsewhere()
  process.umask(0o022)
  const place = placeIn(opt)
  const unlock = lockPlace(place)
  const { version } = factsOf(root)
  try {
    const owner = await createUser()
    await createFolders(etc, owner)
    await placeRelease(place, version)
    const settings = await writeSettings(etc, owner, wanted)
    await giveToOwner(dataDir, owner)
    await startUnits(place, version, settings)
  } finally {
    unlock()
  }
  await awaitReady(folderOf(place, version))
  const { printed } = await runRelease(folderOf(place, version), ['owner-link'])
  print(printed.trim())
}

function wantedOf(words: readonly string[]): Wanted {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { domain: { type: 'string' }, https: { type: 'boolean' }, port: { type: 'string' } },
    })
    const { domain, port } = values
    if (domain !== undefined && URL.parse(`https://${domain}`)?.host !== domain)
      throw new Error(`--domain must be a host name in lower case, got "${domain}"`)
    if (port !== undefined && !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
      throw new Error(`--port must be an integer from 1 to 65535, got "${port}"`)
    return values
  } catch (error) {
    throw new UpgradeError(`${(error as Error).message}. Usage: ${usage}`, { cause: error })
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

async function createUser(): Promise<Owner> {
  await runTool('systemd-sysusers', [join(root, 'deploy', 'sysusers', 'relaydeck.conf')])
  const line = read('/etc/passwd')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`))
  const [, , uid, gid] = (line ?? '').split(':').map(Number)
  if (uid === undefined || gid === undefined) throw new UpgradeError(`systemd-sysusers did not create the user ${user}`)
  return { uid, gid }
}

async function createFolders(etc: string, { uid, gid }: Owner): Promise<void> {
  const folders = [
    [etc, 0o750, 0, gid],
    [dataDir, 0o750, uid, gid],
    [cacheDir, 0o750, uid, gid],
    [backupDir, 0o700, uid, gid],
  ] as const
  for (const [folder, mode, owner, group] of folders) {
    await mkdir(folder, { recursive: true, mode })
    await chown(folder, owner, group)
    await chmod(folder, mode)
  }
}

/** Gives the files of a folder to the service, where a command of root has left its own. Follows no link. */
async function giveToOwner(folder: string, owner: Owner): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name)
    const { uid } = await lstat(path)
    if (uid === owner.uid) continue
    await runTool('chown', ['-h', `${owner.uid}:${owner.gid}`, path])
    print(`${path} belonged to another user. It belongs to ${user} now`)
  }
}

/** Copies this release to its place, and points the links at it. @throws UpgradeError where another release is installed */
async function placeRelease(place: Place, version: string): Promise<void> {
  const folder = folderOf(place, version)
  const difference = await differenceOf(root)
  if (difference !== undefined)
    throw new UpgradeError(`${root}: ${difference}. Unpack the archive again, and run its bin/relaydeck install`)
  const present = existsSync(place.current) ? currentVersion(place) : version
  if (present !== version)
    throw new UpgradeError(
      `Relaydeck ${present} is installed. Change the release by: relaydeck upgrade relaydeck-${version}-linux-${factsOf(root).arch}.tar.gz`,
    )
  if (root !== folder) {
    const isWhole = existsSync(join(folder, 'MANIFEST')) && (await differenceOf(folder)) === undefined
    if (!isWhole) await copyRelease(place, folder)
  }
  await pointTo(place, version)
  await rm(command, { force: true })
  await symlink(join(place.current, 'bin', 'relaydeck'), command)
}

async function copyRelease({ incoming }: Place, folder: string): Promise<void> {
  await rm(incoming, { recursive: true, force: true })
  await cp(root, incoming, { recursive: true })
  await runTool('chown', ['-R', 'root:root', incoming])
  // A damaged copy of the same release.
  await rm(folder, { recursive: true, force: true })
  await rename(incoming, folder)
}

interface Settings {
  readonly host: string
  readonly ports: ServicePorts
}

/** Writes settings where they are missing; what the operator has changed stays. */
async function writeSettings(etc: string, { gid }: Owner, { domain, https = false, port }: Wanted): Promise<Settings> {
  const [service, relay] = [join(etc, settingFiles.service), join(etc, settingFiles.relay)]
  const before = valuesOf(read(service))
  const given = {
    ...(https ? ownHttps : {}),
    ...(port === undefined ? {} : { PORT: port }),
    ...(domain === undefined ? {} : { PUBLIC_URL: `https://${domain}` }),
    ...(domain === undefined || https ? {} : { TRUST_PROXY: '127.0.0.1,::1' }),
  }
  const token = before['RELAY_TOKEN'] || randomBytes(32).toString('base64url')
  const usual = {
    HOST: '127.0.0.1',
    PORT: '8080',
    DATA_DIR: dataDir,
    BACKUP_DIR: backupDir,
    RELAY: 'off',
    RELAY_TOKEN: token,
  }
  const text = changed(read(service) || serviceHead, { ...missing(usual, before), ...given })
  await save(service, text, gid)
  const now = valuesOf(text)
  const beforeRelay = valuesOf(read(relay))
  const small = smallMachine(memoryBytes(), beforeRelay)
  const usualRelay = {
    RTMP_HOST: '0.0.0.0',
    RECORDINGS_DIR: join(dataDir, 'recordings'),
    ...small?.settings,
  }
  if (small) print(small.sentence)
  const ports = portsOf(now)
  const { TLS_CERT = '', TLS_KEY = '' } = now
  const ofRelay = {
    ...missing(usualRelay, beforeRelay),
    // One certificate for HTTPS and RTMPS.
    ...(TLS_CERT === '' ? {} : missing({ RELAY_TLS_CERT: TLS_CERT, RELAY_TLS_KEY: TLS_KEY }, beforeRelay)),
    ...(domain === undefined ? {} : { RELAY_PUBLIC_HOST: domain }),
    SERVICE_URL: beforeRelay['SERVICE_URL']?.startsWith('wss:')
      ? beforeRelay['SERVICE_URL']
      : `ws://127.0.0.1:${ports.plain}/relay`,
    RELAY_TOKEN: token,
  }
  await save(relay, changed(read(relay) || relayHead, ofRelay), gid)
  // Commands of the release inherit these, and variables that are set win over the file.
  Object.assign(process.env, now)
  return { host: now['HOST'] ?? '127.0.0.1', ports }
}

/** Settings of a service that answers the browsers itself. `relaydeck certificate` makes the files. */
const ownHttps = {
  HOST: '0.0.0.0',
  PORT: '443',
  TLS_CERT: join(acmeFolder({ dataDir }), 'certificate.pem'),
  TLS_KEY: join(acmeFolder({ dataDir }), 'certificate.key'),
}
const serviceHead = '# Settings of the service: docs/configuration.md. After a change: relaydeck install\n'
const relayHead = '# Settings of the relay: docs/relay.md. After a change: relaydeck install\n'

const missing = (usual: Readonly<Record<string, string>>, before: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(usual).filter(([name]) => before[name] === undefined))

/** Writes a file that only root changes and the service reads. */
async function save(file: string, text: string, gid: number): Promise<void> {
  if (read(file) !== text) {
    await writeFile(`${file}.next`, text, { mode: 0o640 })
    await rename(`${file}.next`, file)
  }
  await chown(file, 0, gid)
  await chmod(file, 0o640)
}

/** Writes, enables and starts the units. What a setting has changed starts again. */
async function startUnits(place: Place, version: string, { host, ports }: Settings): Promise<void> {
  const machine = systemdMachine({ place, dataDir, servicePort: ports.plain })
  for (const sentence of await machine.writeUnits(version)) print(sentence)
  const isMoved = await writeAddress(host, ports)
  await systemctl('daemon-reload')
  if (isMoved) await systemctl('stop', serviceUnit, socketUnit).catch(() => undefined)
  await systemctl('reset-failed', serviceUnit).catch(() => undefined)
  await systemctl('enable', '--now', socketUnit)
  const isStale = await isOlderThanSettings()
  await systemctl('enable', serviceUnit, relayUnit(version))
  await systemctl(isStale ? 'restart' : 'start', '--no-block', serviceUnit)
  // A relay that runs is left alone: a restart would cut its broadcasts.
  await systemctl('start', '--no-block', relayUnit(version))
}

/** Whether the service was started before the last change of its settings. */
async function isOlderThanSettings(): Promise<boolean> {
  const pid = /\d+/.exec(await systemctl('show', serviceUnit, '--property=MainPID'))?.[0] ?? '0'
  if (pid === '0') return false
  const [{ mtimeMs: started }, { mtimeMs: written }] = await Promise.all([
    stat(`/proc/${pid}`),
    stat(join('/etc/relaydeck', settingFiles.service)),
  ])
  return written > started
}

async function awaitReady(release: string): Promise<void> {
  const end = performance.now() + readySeconds * 1000
  for (;;) {
    if ((await runRelease(release, ['health'])).code === 0) return
    if ((await stateOf(serviceUnit)) === 'failed')
      throw new UpgradeError(`The service does not start: ${await lastWords(serviceUnit)}`)
    if (performance.now() > end)
      throw new UpgradeError(
        `The service is not ready after ${readySeconds} s: ${await lastWords(serviceUnit)}. See: journalctl -u relaydeck`,
      )
  }
}
