// Places of an installation by `relaydeck install`.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadEnvFile } from 'node:process'

/** Folders of an installation. */
export interface Layout {
  /** Contains `releases/<version>/`. */
  readonly opt: string
  /** Contains the settings. */
  readonly etc: string
}

/** The layout of this machine. */
export const layout: Layout = { opt: '/opt/relaydeck', etc: '/etc/relaydeck' }

/** Names of the files with settings: of the service, and of the relay. */
export const settingFiles = { service: 'relaydeck.env', relay: 'relay.env' } as const

/** Loads settings of the installation that a release belongs to; variables that are set already win. @param release its folder */
export function loadSettings(release: string, { opt, etc }: Layout, which: keyof typeof settingFiles): void {
  const file = join(etc, settingFiles[which])
  if (dirname(release) === join(opt, 'releases') && existsSync(file)) loadEnvFile(file)
}
