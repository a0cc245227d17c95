// The machine of an installation: units of systemd for the service and for a relay of each release.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTool } from '#server/db/dump.ts'
import { runRelease } from './child.ts'
import { holdService } from './hold.ts'
import type { Machine } from './machine.ts'
import { currentVersion, folderOf, type Place } from './place.ts'
import { isConnectedTo, usedVersions, versionOfProcess } from './processes.ts'

/** The units, and where the parts of the installation are. */
export interface SystemdOptions {
  readonly place: Place
  readonly dataDir: string
  /** Port of the service that the relay connects to. */
  readonly servicePort: number
  /** Folder of the units. Default: that of the administrator. */
  readonly units?: string
}

const service = 'relaydeck.service'
const relayPrefix = 'relaydeck-relay@'
const relayOf = (version: string): string => `${relayPrefix}${version}.service`
const usualUnits = '/etc/systemd/system'

const systemctl = (...args: string[]): Promise<string> => runTool('systemctl', args)

/** Returns properties of a unit. */
async function show(unit: string, ...names: string[]): Promise<ReadonlyMap<string, string>> {
  const printed = await systemctl('show', unit, `--property=${names.join(',')}`)
  return new Map(printed.split('\n').map((line) => line.split(/=(.*)/) as [string, string]))
}
const pidOf = async (unit: string): Promise<number> => Number((await show(unit, 'MainPID')).get('MainPID'))

/** Returns the machine that this process runs on. */
export function systemdMachine({ place, dataDir, servicePort, units = usualUnits }: SystemdOptions): Machine {
  // Several restarts in a row are no crash loop.
  const restart = async () => {
    await systemctl('reset-failed', service).catch(() => undefined)
    await systemctl('restart', '--no-block', service)
  }
  return {
    restart,
    async hold() {
      const release = await holdService(dataDir)
      // Its start waits for the hold, so the kill of this process starts it again.
      await restart().catch((error: unknown) => {
        release()
        throw error
      })
      return release
    },
    async stateOf(version) {
      const state = await show(service, 'ActiveState', 'MainPID', 'Job')
      // A restart ends a start that waits, which counts as failed for the moment until the job of the restart starts it again.
      if (state.get('ActiveState') === 'failed' && !Number(state.get('Job'))) return 'failed'
      if (versionOfProcess(place, Number(state.get('MainPID'))) !== version) return 'starting'
      return (await runRelease(folderOf(place, version), ['health'])).code === 0 ? 'ready' : 'starting'
    },
    writeUnits: (version) => writeUnits(place, version, units),
    async relays() {
      const listed = await systemctl('list-units', '--plain', '--no-legend', '--state=active', `${relayPrefix}*`)
      const names = listed.split('\n').map((line) => line.trim().split(/\s+/, 1)[0] ?? '')
      return names.filter(Boolean).map((name) => name.slice(relayPrefix.length, -'.service'.length))
    },
    async startRelay(version) {
      await systemctl('enable', '--now', relayOf(version))
      // One that drains, because it was replaced before, accepts again.
      await systemctl('kill', '--signal=SIGURG', relayOf(version))
    },
    async isRelayConnected(version) {
      return isConnectedTo(await pidOf(relayOf(version)), servicePort)
    },
    async drainRelay(version) {
      // Not at the next boot: the new one is.
      const unit = relayOf(version)
      await systemctl('disable', unit)
      await systemctl('reload', unit).catch(async (error: unknown) => {
        // One that drained already ends between the list of relays and the reload.
        const state = (await show(unit, 'ActiveState')).get('ActiveState') ?? ''
        if (['active', 'reloading'].includes(state)) throw error
      })
    },
    async stopRelay(version) {
      await systemctl('disable', '--now', relayOf(version))
    },
    used: async () => usedVersions(place),
  }
}

/** Writes the units of a release. What an administrator has edited is kept beside, where systemd does not read it. */
async function writeUnits(place: Place, version: string, units: string): Promise<string[]> {
  const sentences: string[] = []
  const from = join(folderOf(place, version), 'deploy', 'systemd')
  const before = join(folderOf(place, currentVersion(place)), 'deploy', 'systemd')
  let isChanged = false
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    const [path, wanted] = [join(units, name), await readFile(join(from, name), 'utf8')]
    const present = textOf(path)
    if (present === wanted) continue
    if (present !== null && present !== textOf(join(before, name))) {
      await rename(path, `${path}.edited`)
      sentences.push(
        `${path} was edited by hand. It is kept as ${path}.edited; changes belong to: systemctl edit ${name}`,
      )
    }
    // A kill leaves a whole unit.
    await writeFile(`${path}.next`, wanted, { mode: 0o644 })
    await rename(`${path}.next`, path)
    isChanged = true
  }
  if (isChanged) await systemctl('daemon-reload')
  return sentences
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
