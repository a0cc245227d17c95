// Configuration that handlers and rules use. server/app reads it from the environment.
import type { OAuthName } from '#contract/platforms/platforms.ts'

/** Providers with OAuth: the companies behind the platforms, by the name of their registration. */
export type ProviderName = OAuthName
/** Name of a provider whose hosts the service calls: of OAuth, `telegram`, or of payments. */
export type ProviderHost = string

export interface Settings {
  /** Origin of the service, without a slash at the end. Null: the host of each request. */
  readonly publicUrl: string | null
  /** Origins of dashboards that sign-in may return to, besides the service's own. */
  readonly dashboardOrigins: readonly string[]
  readonly dataDir: string
  /** Folder of the operator's articles, posts and policies; null: none. */
  readonly contentDir: string | null
  readonly signUp: 'auto' | 'open' | 'invite' | 'closed'
  readonly accessSeconds: number
  readonly refreshIdleDays: number
  /** Time in which a used refresh token gives the same pair again, milliseconds. */
  readonly refreshReplayMs: number
  readonly refreshMaxDays: number
  /** Destinations may be on this machine and in private networks. */
  readonly allowPrivateDestinations: boolean
  /** Domains that count as servers of every platform, in lower case: destinations on them need no plan with custom addresses. */
  readonly platformHosts: readonly string[]
  /** Minimum space for recordings of a project on all relay nodes, GB. */
  readonly recordLimitGb: number
  /** Days from the excess of the space to the removal of the oldest recordings; null: nothing is removed. */
  readonly storageGraceDays: number | null
  /** Days after which chat messages are removed. */
  readonly chatKeepDays: number
  /** OAuth client of the service at each provider; null without a registration. */
  readonly providers: Readonly<Record<ProviderName, { readonly id: string; readonly secret: string } | null>>
  /** Public key of Kick, PEM: the signatures of its webhooks. */
  readonly kickPublicKey: string
  /** The operator set the key, so that the published one does not replace it. */
  readonly isKickKeyFixed: boolean
  /** API key that reads public data of YouTube; null without one. */
  readonly youtubeApiKey: string | null
  /** Units of YouTube's API that the installation has a day. */
  readonly youtubeQuota: number
  /** Public key of the application at OK, required in each call. */
  readonly okPublicKey: string
  /** Replacement base URLs of providers; each host becomes a folder below its base. */
  readonly providerBases: ReadonlyMap<ProviderHost, string>
  /** Token of the bot that reads Telegram chats; null without one. */
  readonly telegramBotToken: string | null
  /** Name of the bot without `@`; empty: not configured, which disables sign-in with Telegram. */
  readonly telegramBotName: string
  /** Maximum number of transcoders of a project. */
  readonly transcodersMax: number
  /** This process sends notifications. */
  readonly sendsNotifications: boolean
  /** Mail server as a URL with its password, sender, and origin of links; null: the service sends no e-mail. */
  readonly mail: { readonly server: string; readonly from: string; readonly origin: string } | null
  /** Account at each payment provider by its name, as settings.ts of the provider declares it; null: not configured. */
  readonly payAccounts: Readonly<Record<string, unknown>>
  /** Centrifugo server that replaces the built-in hub; `url` null: none. `tokenSecret` empty: derived. */
  readonly centrifugo: { readonly url: string | null; readonly apiKey: string; readonly tokenSecret: string }
  /** Secret from which all others are derived (`derivedKey`). */
  readonly secret: Uint8Array
  readonly release: { readonly version: string; readonly date: string }
}
