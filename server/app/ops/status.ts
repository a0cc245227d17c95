// `relaydeck status`: release, units and readiness of this machine.
import { existsSync } from 'node:fs'
import type { Layout } from './layout.ts'
import { relayUnit, serviceUnit, socketUnit, stateOf, systemctl } from './units.ts'
import { runRelease } from './upgrade/child.ts'
import { currentVersion, folderOf, listReleases, placeIn } from './upgrade/place.ts'
import { UpgradeError } from './upgrade/upgrade-error.ts'

/** Prints the state. Exit code 1 where the service is not ready. @throws UpgradeError where Relaydeck is not installed */
export async function status({ opt }: Layout): Promise<void> {
  if (!existsSync('/run/systemd/system'))
    throw new UpgradeError('This system does not run systemd. Ask: relaydeck health')
  const place = placeIn(opt)
  const version = currentVersion(place)
  const listed = await systemctl('list-units', '--plain', '--no-legend', '--all', `${relayUnit('*')}`)
  const relays = listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/, 1)[0] ?? '')
    .filter(Boolean)
  const lines = [
    ['release', version],
    [
      'kept',
      listReleases(place)
        .map((each) => each.version)
        .join(' '),
    ],
  ]
  for (const unit of [socketUnit, serviceUnit, ...relays]) lines.push([unit, await stateOf(unit)])
  const { code, printed, why } = await runRelease(folderOf(place, version), ['health'])
  lines.push(['service', (printed || why).trim()])
  const width = Math.max(...lines.map(([name = '']) => name.length))
  for (const [name = '', value = ''] of lines) process.stdout.write(`${name.padEnd(width)}  ${value}\n`)
  process.exitCode = code
}
