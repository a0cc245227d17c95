// Upgrade and rollback of this machine.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Layout } from '#server/app/ops/layout.ts'
import { portsOf } from '#server/app/ops/ports.ts'
import { runRollback, runUpgrade } from './commands.ts'
import { placeIn } from './place.ts'
import type { Work } from './switch.ts'
import { systemdMachine } from './systemd.ts'
import { UpgradeError } from './upgrade-error.ts'

/** Signs of an application container: of our image, Docker and Podman. A system container counts as a machine. */
const containerSigns = ['/etc/relaydeck-image', '/.dockerenv', '/run/.containerenv']

/** @throws UpgradeError where this process may not, or cannot, change the releases of the machine */
export function refuseElsewhere(): void {
  if (containerSigns.some((file) => existsSync(file)))
    throw new UpgradeError('This is a container: start one of the image with another tag, such as relaydeck:1.2.0')
  if (!existsSync('/run/systemd/system'))
    throw new UpgradeError('This system does not run systemd. Unpack the new release, and start its bin/relaydeck')
  if (process.getuid?.() !== 0) throw new UpgradeError('Releases belong to root. Run this with sudo')
}

/** Runs `upgrade` or `rollback` on this machine. @param words after the name of the command @throws UpgradeError */
export async function changeRelease(
  command: 'upgrade' | 'rollback',
  { opt }: Layout,
  words: readonly string[],
): Promise<void> {
  refuseElsewhere()
  // A lost terminal must not end it half-way.
  process.on('SIGHUP', () => undefined)
  process.stdout.on('error', () => undefined)
  process.umask(0o022)
  const { DATA_DIR = '/var/lib/relaydeck' } = process.env
  const place = placeIn(opt)
  const machine = systemdMachine({ place, dataDir: resolve(DATA_DIR), servicePort: portsOf(process.env).plain })
  const work: Work = { place, machine, say: (line) => void process.stdout.write(`${line}\n`) }
  await (command === 'upgrade' ? runUpgrade : runRollback)(work, words)
}
