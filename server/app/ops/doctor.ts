// `relaydeck doctor`: what is wrong with this installation, each with its remedy. Changes nothing, and calls nothing outside.
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addressFile, addressText, relayUnit, serviceUnit, socketUnit, stateOf, unitFolder } from './units.ts'
import { Connections } from './connections.ts'
import { checkCertificate, connectionFindings } from './doctor-connections.ts'
import { checkSettings } from './doctor-settings.ts'
import { broken, type Finding, warning } from './finding.ts'
import { type Layout, settingFiles } from './layout.ts'
import { portsOf } from './ports.ts'
import { valuesOf } from './setting-lines.ts'
import { gibibyte } from './small-machine.ts'
import { readFrom, runRelease } from './upgrade/child.ts'
import { currentVersion, folderOf, placeIn } from './upgrade/place.ts'
import { differenceOf } from './upgrade/unpack.ts'

const [fewBytes, hardlyAny] = [2 * gibibyte, gibibyte / 5]
/** Age after which a daily backup is missing. */
const oldBackupMs = 2 * 24 * 3_600_000

type Values = Readonly<Record<string, string | undefined>>

/** Prints the findings. Exit code 0: none, 1: warnings, 2: something is broken. @param words `--json` prints them as JSON */
export async function doctor(layout: Layout, words: readonly string[]): Promise<void> {
  const { findings, films } = await examine(layout)
  if (words.includes('--json')) process.stdout.write(`${JSON.stringify({ findings, films }, null, 2)}\n`)
  else {
    if (films !== null) process.stdout.write(`Films are in the ${films}\n`)
    for (const { level, what, remedy } of findings) process.stdout.write(`${level}: ${what}\n  ${remedy}\n`)
    process.stdout.write(`${findings.length === 0 ? 'Nothing is wrong' : `${findings.length} findings`}\n`)
  }
  process.exitCode = findings.some(({ level }) => level === 'broken') ? 2 : findings.length > 0 ? 1 : 0
}

/** `films`: the folder or the bucket of films; null: unknown, because the service does not run. */
interface Examined {
  readonly findings: readonly Finding[]
  readonly films: string | null
}

async function examine({ opt, etc }: Layout): Promise<Examined> {
  const only = (finding: Finding): Examined => ({ findings: [finding], films: null })
  if (process.getuid?.() !== 0)
    return only(broken('Only root can read the whole installation', 'Run: sudo relaydeck doctor'))
  const place = placeIn(opt)
  if (!existsSync(place.current))
    return only(broken(`${place.current} is missing`, 'Unpack an archive, and run its bin/relaydeck install'))
  const version = currentVersion(place)
  const release = folderOf(place, version)
  const file = join(etc, settingFiles.service)
  const values: Values = existsSync(file) ? valuesOf(readFileSync(file, 'utf8')) : {}
  const differences = await checkRelease(release)
  const running = await checkRunning(release, version)
  const findings = [
    ...differences,
    ...checkSettings(etc),
    ...checkOwners(values),
    ...checkUnitFiles(release, values),
    ...running.findings,
    ...checkDisk(values),
    ...checkBackups(values),
    ...checkCertificate(values),
    ...checkFfmpeg(etc),
    ...checkAddress(values),
  ]
  return { findings, films: running.films }
}

async function checkRelease(release: string): Promise<Finding[]> {
  const difference = await differenceOf(release).catch((error: Error) => error.message)
  if (difference === undefined) return []
  return [
    broken(`${release}: ${difference}`, 'Unpack the archive of this release again, and run its bin/relaydeck install'),
  ]
}

/** Files of another user: the service cannot write them. */
function checkOwners({ DATA_DIR = '' }: Values): Finding[] {
  if (!existsSync(DATA_DIR)) return [broken(`DATA_DIR ${DATA_DIR} is missing`, 'Run: relaydeck install')]
  const { uid, mode } = statSync(DATA_DIR)
  const findings = uid === 0 ? [broken(`${DATA_DIR} belongs to root`, 'Run: relaydeck install')] : []
  if ((mode & 0o007) !== 0) findings.push(broken(`${DATA_DIR} is open to every user`, `Run: chmod 750 ${DATA_DIR}`))
  const foreign = readdirSync(DATA_DIR, { recursive: true, encoding: 'utf8' })
    .map((name) => join(DATA_DIR, name))
    .find((path) => lstatSync(path, { throwIfNoEntry: false })?.uid !== uid && existsSync(path))
  if (foreign !== undefined)
    findings.push(broken(`${foreign} does not belong to the service`, 'Run: relaydeck install'))
  return findings
}

function checkUnitFiles(release: string, values: Values): Finding[] {
  const from = join(release, 'deploy', 'systemd')
  const findings = readdirSync(from).flatMap((name) => {
    const path = join(unitFolder, name)
    if (!existsSync(path)) return [broken(`The unit ${path} is missing`, 'Run: relaydeck install')]
    if (readFileSync(path, 'utf8') === readFileSync(join(from, name), 'utf8')) return []
    const remedy = `Put the change into a drop-in (systemctl edit ${name}), then run: relaydeck install`
    return [warning(`The unit ${path} was edited by hand; the next upgrade replaces it`, remedy)]
  })
  const address = existsSync(addressFile) ? readFileSync(addressFile, 'utf8') : ''
  const { HOST = '127.0.0.1' } = values
  if (address !== addressText(HOST, portsOf(values)))
    findings.push(
      broken(`${socketUnit} does not listen on the HOST and ports of the settings`, 'Run: relaydeck install'),
    )
  return findings
}

async function checkRunning(release: string, version: string): Promise<Examined> {
  const findings: Finding[] = []
  for (const unit of [socketUnit, serviceUnit, relayUnit(version)]) {
    const state = await stateOf(unit).catch(() => 'unknown')
    if (state !== 'active')
      findings.push(broken(`${unit} is ${state}`, `See why: journalctl -u ${unit}. Then: relaydeck install`))
  }
  if (findings.length > 0) return { findings, films: null }
  const { code, printed } = await runRelease(release, ['health'])
  if (code !== 0) {
    const finding = broken(`The service is ${printed.trim()}`, 'See why: journalctl -u relaydeck')
    return { findings: [finding], films: null }
  }
  const ledger = await runRelease(release, ['ledger', 'check'])
  if (ledger.code !== 0) findings.push(broken(`The ledger is wrong: ${ledger.why}`, 'See the runbook: docs/runbook.md'))
  const connections = await readFrom(release, ['connections'], 'The connections were not checked', Connections)
  return { findings: [...findings, ...connectionFindings(connections)], films: connections.films }
}

function checkDisk({ DATA_DIR = '', BACKUP_DIR = '' }: Values): Finding[] {
  const folders = [DATA_DIR, BACKUP_DIR].filter((folder) => existsSync(folder))
  return folders.flatMap((folder) => {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const what = `The disk of ${folder} has ${(free / gibibyte).toFixed(1)} GB left`
    const remedy = 'Free space on it, or move recordings and backups to another disk'
    return free < hardlyAny ? [broken(what, remedy)] : free < fewBytes ? [warning(what, remedy)] : []
  })
}

/** The service makes a daily backup on SQLite, and where BACKUPS is on. */
function checkBackups({
  DATA_DIR = '',
  BACKUP_DIR = join(DATA_DIR, 'backups'),
  BACKUPS = 'auto',
  DATABASE_URL = '',
}: Values): Finding[] {
  if (BACKUPS === 'off' || (BACKUPS === 'auto' && DATABASE_URL !== ''))
    return [warning('No daily backup is made', 'Set BACKUPS=on, or make backups of your own')]
  const names = existsSync(BACKUP_DIR)
    ? readdirSync(BACKUP_DIR).filter((name) => /^relaydeck-.*\.tar\.gz$/.test(name))
    : []
  const newest = Math.max(0, ...names.map((name) => statSync(join(BACKUP_DIR, name)).mtimeMs))
  const since = newest || statSync(DATA_DIR, { throwIfNoEntry: false })?.birthtimeMs || Date.now()
  if (Date.now() - since < oldBackupMs) return []
  return [
    warning(
      `The newest backup in ${BACKUP_DIR} is older than two days`,
      'Run: relaydeck backup, and see: journalctl -u relaydeck',
    ),
  ]
}

function checkFfmpeg(etc: string): Finding[] {
  const file = join(etc, settingFiles.relay)
  const { FFMPEG = 'ffmpeg' } = existsSync(file) ? valuesOf(readFileSync(file, 'utf8')) : ({} as Values)
  if (FFMPEG === '' || spawnSync(FFMPEG, ['-version'], { stdio: 'ignore' }).status === 0) return []
  const remedy = 'Install it (apt install ffmpeg), or set FFMPEG= in relay.env to do without'
  return [warning(`${basename(FFMPEG)} is missing: no stills, MP4, transcoders, HLS and SRT`, remedy)]
}

function checkAddress({ PUBLIC_URL = '', TRUST_PROXY = '', HOST = '127.0.0.1' }: Values): Finding[] {
  const isLocal = HOST === '127.0.0.1' || HOST === '::1'
  if (PUBLIC_URL === '' && TRUST_PROXY !== '')
    return [warning('TRUST_PROXY is set without PUBLIC_URL: links use the address of each request', 'Set PUBLIC_URL')]
  if (PUBLIC_URL.startsWith('http:') && !isLocal)
    return [
      warning(
        `PUBLIC_URL ${PUBLIC_URL} has no TLS: passwords cross the network in the clear`,
        'Use https:// with a certificate or a proxy',
      ),
    ]
  return []
}
