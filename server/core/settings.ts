// The part of the configuration that handlers and rules know; server/app reads it from the environment.
export interface Settings {
  /** Where people reach the service, without a slash at the end. Null: wherever a request says it was sent to. */
  readonly publicUrl: string | null
  /** Origins of dashboards that sign-in may return to, beside the service's own. */
  readonly dashboardOrigins: readonly string[]
  readonly dataDir: string
  readonly signUp: 'auto' | 'open' | 'invite' | 'closed'
  readonly accessSeconds: number
  readonly refreshIdleDays: number
  readonly refreshMaxDays: number
  /** Streams may go to addresses of this machine and of private networks. */
  readonly allowPrivateDestinations: boolean
  /** Every other secret is derived from it (`derivedKey`). */
  readonly secret: Uint8Array
  readonly release: { readonly version: string; readonly date: string }
}
