// Configuration that handlers and rules use. server/app reads it from the environment.
import type { OAuthName } from '#contract/platforms/platforms.ts'
import type { SettingTables } from './settings.gen.ts'
import type { SettingsOf } from './variables.ts'

/** Providers with OAuth: the companies behind the platforms, by the name of their registration. */
export type ProviderName = OAuthName
/** Name of a provider whose hosts the service calls: of OAuth, `telegram`, or of payments. */
export type ProviderHost = string

type Merged<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never

/** All settings that are read from the environment. */
export type Config = Merged<{ [K in keyof SettingTables]: SettingsOf<SettingTables[K]> }[keyof SettingTables]>

export interface Settings extends Omit<Config, 'givenSecret'> {
  /** Secret from which all others are derived (`derivedKey`). */
  readonly secret: Uint8Array
  readonly release: { readonly version: string; readonly date: string }
}
