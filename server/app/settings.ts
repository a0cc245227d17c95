// Reads all settings of the service from the environment.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentRelease } from '#server/core/release.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Config, Settings } from '#server/core/settings.ts'
import type { Environment, Setting } from '#server/core/variables.ts'
import { settingTables } from './settings.gen.ts'
import { cannotStart } from '#server/app/start/start-error.ts'

/** All settings with their variables, in the order in which they are read and documented. */
export const allSettings: readonly (readonly [name: string, Setting])[] = Object.values(settingTables).flatMap(
  (table) => Object.entries<Setting>(table),
)

/**
 * Reads the configuration.
 * @example readConfig(process.env)
 * @throws ConfigError for the first variable that cannot be read, and for a mail server, Stripe or PayPal without PUBLIC_URL
 */
export const readConfig = (environment: Environment): Config =>
  Object.fromEntries(allSettings.map(([name, setting]) => [name, setting.read(environment)])) as unknown as Config

/** Creates the settings of a service: the configuration with the secret and the release. */
export function settingsOf({ givenSecret, ...config }: Config): Settings {
  const secret = givenSecret === '' ? generatedSecret(config.dataDir) : givenSecret
  return { ...config, secret: derivedKey(secret, 'root'), release: currentRelease() }
}

/** Returns the secret of this installation, generated once; readable by its owner only. */
export function generatedSecret(folder: string): string {
  const file = join(folder, 'secret')
  try {
    // Another replica may create it concurrently: the first one wins.
    if (!existsSync(file)) writeNew(file, randomBytes(32).toString('base64url'))
    return readFileSync(file, 'utf8')
  } catch (error) {
    return cannotStart(`The secret ${file} of DATA_DIR cannot be used`)(error as NodeJS.ErrnoException)
  }
}

function writeNew(file: string, content: string): void {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
