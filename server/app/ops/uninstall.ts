// `relaydeck uninstall`: removes releases and units; data, settings, backups and the user stay.
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backupDir, cacheDir, command, dataDir } from './install.ts'
import type { Layout } from './layout.ts'
import { addressFile, systemctl, unitFolder } from './units.ts'
import { refuseElsewhere } from './upgrade/here.ts'
import { lockPlace, placeIn } from './upgrade/place.ts'
import { UpgradeError } from './upgrade/upgrade-error.ts'

const isOurs = (name: string): boolean => /^relaydeck(-[\w@.]+)?\.(service|socket|timer)(\.edited)?$/.test(name)

/** Removes the installation of this machine. @throws UpgradeError where there is none */
export async function uninstall({ opt, etc }: Layout): Promise<void> {
  refuseElsewhere()
  if (!existsSync(opt)) throw new UpgradeError(`${opt} is missing: Relaydeck is not installed on this machine`)
  lockPlace(placeIn(opt))
  const loaded = await systemctl('list-units', '--all', '--plain', '--no-legend', 'relaydeck*')
  const names = loaded
    .split('\n')
    .map((line) => line.trim().split(/\s+/, 1)[0] ?? '')
    .filter(isOurs)
  const files = readdirSync(unitFolder).filter(isOurs)
  const all = [...new Set([...names, ...files])].filter((name) => !name.includes('@.') && !name.endsWith('.edited'))
  if (all.length > 0) await systemctl('disable', '--now', ...all)
  for (const name of files) await rm(join(unitFolder, name))
  await rm(dirname(addressFile), { recursive: true, force: true })
  await systemctl('daemon-reload')
  for (const path of [command, cacheDir, opt]) await rm(path, { recursive: true, force: true })
  process.stdout.write(`Relaydeck is removed. Kept: ${dataDir}, ${backupDir}, ${etc}, and the user relaydeck\n`)
}
