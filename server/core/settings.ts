// The part of the configuration that handlers and rules know; server/app reads it from the environment.
export interface Settings {
  /** Where people reach the service, without a slash at the end. */
  readonly publicUrl: string
  /** Origins of dashboards that sign-in may return to, beside the service's own. */
  readonly dashboardOrigins: readonly string[]
  readonly dataDir: string
  readonly signUp: 'auto' | 'open' | 'invite' | 'closed'
  readonly accessSeconds: number
  readonly refreshIdleDays: number
  readonly refreshMaxDays: number
  /** Calls a minute from one address; an account or session has a share of it. 0: no limit. */
  readonly signInPerMinute: number
  readonly refreshPerMinute: number
  /** Signs access tokens and forms; 32 random bytes. */
  readonly secret: Uint8Array
  readonly release: { readonly version: string; readonly date: string }
}
