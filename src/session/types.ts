// The words of the session layer: what it stores, what it tells, what can be put in its place.
import type { App, Language } from '#contract/core/wire.ts'

export type AuthStatus = 'initializing' | 'authenticated' | 'refreshing' | 'degraded' | 'unauthenticated'
export type SignedOutReason = 'none' | 'user' | 'expired' | 'other_tab' | 'storage_cleared'
export type PersistenceMode = 'indexeddb' | 'localstorage' | 'memory'
/** Why the refresh call cannot be answered at the moment. */
export type DegradedCause = 'offline' | 'network' | 'server' | 'rate_limited' | 'malformed'
/** How a refresh ended: a new pair from the server, a newer one found in the ledger, the session replaced or over, … */
export type RefreshOutcome = 'rotated' | 'adopted' | 'superseded' | 'rejected' | 'unavailable'

export type AuthEvent =
  | { type: 'signed_in' | 'token_refreshed' | 'session_changed'; sessionId: string; generation: number }
  | { type: 'signed_out'; reason: SignedOutReason }
  | { type: 'degraded'; cause: DegradedCause; retryAt: number }
  | { type: 'persistence'; mode: PersistenceMode; error?: string }
  /** The tab came back (visible, online, restored) and has already looked into the ledger: now data may be refetched. */
  | { type: 'woke'; cause: WakeCause }
export type WakeCause = 'online' | 'visible' | 'pageshow'

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** An access token with what is needed to tell later whether it is still the current one. */
export interface AccessToken {
  readonly value: string
  readonly generation: number
  readonly sessionId: string
  readonly obtainedAt: number
}

/** What the outside may see. Never a token. */
export interface AuthSnapshot {
  readonly status: AuthStatus
  readonly sessionId: string | null
  readonly generation: number
  readonly reason: SignedOutReason
  /** When the next refresh is due while `degraded`, milliseconds since 1970. */
  readonly retryAt: number | null
  readonly persistence: PersistenceMode
}

/** The right to call refresh. `locked`: its owner also holds the Web Lock, so whoever gets the lock knows it is gone. */
export interface Lease {
  readonly owner: string
  readonly until: number
  readonly locked: boolean
}

/** The one record of the ledger. */
export interface TokenRecord {
  readonly schema: 1
  /** New at every sign-in. */
  readonly sessionId: string
  /** Counts the pairs of a session. */
  readonly generation: number
  /** `null`: a tombstone, the session is over. */
  readonly pair: TokenPair | null
  readonly obtainedAt: number
  readonly ended?: 'user' | 'expired'
  readonly fingerprint?: string
  readonly lease?: Lease
  /** Failed attempts in a row, of all tabs. */
  readonly failures?: number
  /** No tab calls refresh before this time. */
  readonly notBefore?: number
  /** The pause was asked for by the server: waking up does not end it. */
  readonly pausedByServer?: boolean
  /** The server refused to refresh while the access token was still good: it lives until its first 401. */
  readonly refused?: boolean
}

/** Looks at the record and says what to write instead; `undefined` leaves it. */
export type Update = (current: TokenRecord | null) => TokenRecord | undefined

/** Where the record lives. */
export interface TokenStore {
  /** What `open` found, or what was fallen back to since. */
  readonly mode: PersistenceMode
  /** Opens the best storage there is. Never rejects: at worst it is memory. */
  open(): Promise<void>
  read(): Promise<TokenRecord | null>
  /**
   * Reads, asks, and writes as one step. `update` may be called more than once.
   * Resolves to whether its answer was written; rejects when the storage failed.
   */
  compareAndSet(update: Update): Promise<boolean>
  close(): Promise<void>
}

/** What tabs say to each other. The pair travels only when the ledger could not be written. */
export interface TabMessage {
  readonly sessionId: string
  readonly generation: number
  readonly record?: TokenRecord
}

/** The other tabs, and the browser's own signals. */
export interface Coordinator {
  /** Starts listening. */
  open(handlers: { message(message: TabMessage | null): void; wake(cause: WakeCause): void; hide(): void }): void
  post(message: TabMessage): void
  /** Runs `work` under a lock shared by all tabs if that can be had in time, else without it. */
  exclusive(name: string, waitMs: number, work: (locked: boolean) => Promise<void>): Promise<void>
  isVisible(): boolean
  isOnline(): boolean
  close(): void
}

/** Time, replaceable in tests. */
export interface Clock {
  now(): number
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export interface RefreshTiming {
  /** One refresh call. */
  readonly timeoutMs: number
  /** Waits before the second, third, … call of one attempt. */
  readonly quickRetriesMs: readonly number[]
  /** First and longest wait between attempts. */
  readonly backoffMs: readonly [first: number, longest: number]
  readonly leaseMs: number
  readonly lockWaitMs: number
  /** How long a request waits for a refresh. */
  readonly waiterMs: number
  readonly retryAfterCapMs: number
  /** How long sign-out waits for a refresh in flight, to end the newest token. */
  readonly logoutWaitMs: number
  /** How often a tab without a lock looks whether another tab's refresh is done. */
  readonly pollMs: number
  /** Pause after `breakerRotations` new pairs of which none was accepted by any operation. */
  readonly breakerMs: number
  readonly breakerRotations: number
}

export interface AuthSessionConfig {
  readonly baseUrl: string
  readonly apiVersion: '1' | '2' | '3'
  readonly language: Language | (() => Language)
  readonly app: App
  /** Chosen once per sign-in and sent with every refresh of that session. */
  readonly fingerprint?: () => string | Promise<string>
  readonly storage?: TokenStore
  readonly coordinator?: Coordinator
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  readonly random?: () => number
  /** Statuses of the refresh call that end the session. Default 400 and 401. */
  readonly rejectedStatuses?: readonly number[]
  readonly timing?: Partial<RefreshTiming>
}

export interface AuthSession {
  /** Looks for a stored session and starts listening to the other tabs. Safe to call many times. */
  initialize(): Promise<AuthSnapshot>
  getSnapshot(): AuthSnapshot
  /** Tells that the snapshot changed; for `useSyncExternalStore` and stores. */
  subscribe(onChange: () => void): () => void
  onAuthStateChange(listener: (event: AuthEvent) => void): () => void
  /** Begins a session with a pair: after the exchange of a code, or entered by hand. */
  setSession(tokens: TokenPair): Promise<AuthSnapshot>
  /**
   * The token to send now; `null` when nobody is signed in. Waits while a dead token is being replaced.
   * @throws RefreshUnavailableError when that does not succeed in time
   */
  getAccessToken(options?: { signal?: AbortSignal | null | undefined }): Promise<AccessToken | null>
  /** Replaces the pair: because generation `rejectedGeneration` was refused, or on the caller's own wish. */
  refreshSession(options?: {
    rejectedGeneration?: number
    signal?: AbortSignal | null | undefined
  }): Promise<RefreshOutcome>
  /** An operation accepted this token: the session is fine. */
  confirmAccess(token: AccessToken): void
  /** Ends the session in all tabs at once; the server is told in the background. */
  signOut(options?: { notifyServer?: boolean }): Promise<void>
  /** Stops listening. A refresh under way is finished and stored. */
  dispose(): Promise<void>
}
