// Installs Debian packages, if the machine is a Debian and the user is root, as in most containers.
import { existsSync } from 'node:fs'
import { run, say } from './step.ts'

export const isRoot = process.getuid?.() === 0

/** True on a Debian, for root. */
export const canInstall = isRoot && existsSync('/usr/bin/apt-get')

let listsAreFresh = false

/** Installs a Debian package and prints that it does. @returns false on another system, or after a failed installation */
export async function aptInstall(name: string, what: string): Promise<boolean> {
  if (!canInstall) return false
  say(`Installing ${what} (apt-get install ${name})`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (!listsAreFresh) await run('apt-get', ['update', '-qq'], { env, minutes: 5, quiet: true })
  listsAreFresh = true
  const args = ['install', '-y', '-qq', '--no-install-recommends', name]
  const code = await run('apt-get', args, { env, minutes: 15, quiet: true })
  if (code !== 0) say(`apt-get install ${name} failed`)
  return code === 0
}
