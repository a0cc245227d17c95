// The part of the configuration that handlers and rules know; server/app reads it from the environment.

/** Who is asked about accounts: the companies behind the platforms, by the name of their OAuth registration. */
export const providerNames = ['google', 'twitch', 'vk', 'vk-id', 'vkvideolive', 'ok', 'trovo'] as const
export type ProviderName = (typeof providerNames)[number]
/** Whose hosts are called; Telegram knows bots and no OAuth. */
export const providerHosts = [...providerNames, 'telegram'] as const
export type ProviderHost = (typeof providerHosts)[number]

export interface Settings {
  /** Where people reach the service, without a slash at the end. Null: wherever a request says it was sent to. */
  readonly publicUrl: string | null
  /** Origins of dashboards that sign-in may return to, beside the service's own. */
  readonly dashboardOrigins: readonly string[]
  readonly dataDir: string
  readonly signUp: 'auto' | 'open' | 'invite' | 'closed'
  readonly accessSeconds: number
  readonly refreshIdleDays: number
  /** A used refresh token gives the same pair again for this long, ms. */
  readonly refreshReplayMs: number
  readonly refreshMaxDays: number
  /** Streams may go to addresses of this machine and of private networks. */
  readonly allowPrivateDestinations: boolean
  /** Domains that count as servers of every platform, lower case: streams to them need no plan with custom addresses. */
  readonly platformHosts: readonly string[]
  /** Least space for recordings of a project on all relay nodes, GB. */
  readonly recordLimitGb: number
  /** What providers know this service by; null where it is not registered. */
  readonly providers: Readonly<Record<ProviderName, { readonly id: string; readonly secret: string } | null>>
  /** Public key of the application at OK, which every call there has to name. */
  readonly okPublicKey: string
  /** Where a provider's hosts are instead of the public ones; each host becomes a folder there. */
  readonly providerBases: ReadonlyMap<ProviderHost, string>
  /** Bot that reads chats of Telegram; null without one. */
  readonly telegramBotToken: string | null
  /** What it is called, without `@`; empty when nobody said it, and then nobody signs in with Telegram. */
  readonly telegramBotName: string
  /** Transcoders that a project may have. */
  readonly transcodersMax: number
  /** Mail server, as a URL with its password, sender, and origin of links; null: no e-mail is sent. */
  readonly mail: { readonly server: string; readonly from: string; readonly origin: string } | null
  /** A Centrifugo that takes the place of our own hub; `url` null: none. `tokenSecret` empty: derived. */
  readonly centrifugo: { readonly url: string | null; readonly apiKey: string; readonly tokenSecret: string }
  /** Every other secret is derived from it (`derivedKey`). */
  readonly secret: Uint8Array
  readonly release: { readonly version: string; readonly date: string }
}
