// The configuration as handlers and rules know it: with the secret, and with what the release is called.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Config } from './config.ts'

/** Makes the settings of a service. */
export const settingsOf = (config: Config): Settings => ({
  publicUrl: config.PUBLIC_URL === '' ? null : config.PUBLIC_URL,
  dashboardOrigins: config.DASHBOARD_ORIGINS,
  dataDir: config.DATA_DIR,
  signUp: config.SIGN_UP,
  accessSeconds: config.ACCESS_TTL,
  refreshIdleDays: config.REFRESH_IDLE_DAYS,
  refreshMaxDays: config.REFRESH_MAX_DAYS,
  allowPrivateDestinations: config.ALLOW_PRIVATE_DESTINATIONS,
  secret: derivedKey(config.SECRET === '' ? generatedSecret(config.DATA_DIR) : config.SECRET, 'root'),
  release: currentRelease(),
})

/** The secret of this installation, made once; readable by its owner only. */
function generatedSecret(folder: string): string {
  const file = join(folder, 'secret')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

const top = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** Version from package.json, date from the changelog's entry about it; empty for one that is not released. */
function currentRelease(): Settings['release'] {
  const { version } = JSON.parse(top('package.json')) as { version: string }
  const date = top('CHANGELOG.md')
    .split('\n')
    .find((line) => line.startsWith('## ') && line.includes(version))
    ?.match(/\d{4}-\d{2}-\d{2}/)?.[0]
  return { version, date: date ?? '' }
}
