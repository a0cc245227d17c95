// Types of the session layer: record, snapshot, and replaceable dependencies.
import type { Doubling } from '#contract/core/backoff.ts'
import type { App, Language } from '#contract/core/wire.ts'

export type AuthStatus = 'initializing' | 'authenticated' | 'refreshing' | 'degraded' | 'unauthenticated'
export type SignedOutReason = 'none' | 'user' | 'expired' | 'other_tab' | 'storage_cleared'
export type PersistenceMode = 'indexeddb' | 'localstorage' | 'memory'
/** Reason that the refresh call cannot be answered at the moment. */
export type DegradedCause = 'offline' | 'network' | 'server' | 'rate_limited' | 'malformed'
/**
 * Result of a refresh: a new pair from the server, a newer one found in the ledger, the session replaced or ended, …
 */
export type RefreshOutcome = 'rotated' | 'adopted' | 'superseded' | 'rejected' | 'unavailable'

export type AuthEvent =
  | { type: 'signed_in' | 'token_refreshed' | 'session_changed'; sessionId: string; generation: number }
  | { type: 'signed_out'; reason: SignedOutReason }
  | { type: 'degraded'; cause: DegradedCause; retryAt: number }
  | { type: 'persistence'; mode: PersistenceMode; error?: string }
  /** The tab came back (visible, online, restored) and has already read the ledger: now data may be refetched. */
  | { type: 'woke'; cause: WakeCause }
export type WakeCause = 'online' | 'visible' | 'pageshow'

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** An access token with the data to check later whether it is still the current one. */
export interface AccessToken {
  readonly value: string
  readonly generation: number
  readonly sessionId: string
  readonly obtainedAt: number
}

/** Public state of the session, never with a token. */
export interface AuthSnapshot {
  readonly status: AuthStatus
  readonly sessionId: string | null
  readonly generation: number
  readonly reason: SignedOutReason
  /** Time of the next refresh while `degraded`, milliseconds since 1970. */
  readonly retryAt: number | null
  /** The server set `retryAt` (`Retry-After`): a retry by the user has no effect before. */
  readonly isRetryHeld: boolean
  readonly persistence: PersistenceMode
}

/** The right to call refresh. `locked`: its owner also holds the Web Lock, so the next holder of the lock ignores it. */
export interface Lease {
  readonly owner: string
  readonly until: number
  readonly locked: boolean
}

/** Time without refresh calls after a failed attempt, for all tabs. */
export interface Pause {
  /** Failed attempts in a row. */
  readonly failures: number
  /** Start and end by the wall clock, ms. A clock before the start was set back: the pause is void. */
  readonly since: number
  readonly until: number
  readonly cause: DegradedCause
  /** The server requested it (`Retry-After`): nothing ends it early. */
  readonly byServer: boolean
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
  readonly pause?: Pause
  /** The server refused to refresh while the access token was still good: it lives until its first 401. */
  readonly refused?: boolean
  /** Refresh tokens of sessions that ended here, until the server has answered their revocation. Nothing else sends them. */
  readonly revoke?: readonly string[]
}

/** Receives the record and returns its replacement; `undefined` leaves it. */
export type Update = (current: TokenRecord | null) => TokenRecord | undefined

/** Storage of the record. */
export interface TokenStore {
  /** The storage in use. */
  readonly mode: Exclude<PersistenceMode, 'memory'>
  /** Finds the storage of this profile. Never rejects, and waits for a slow storage a few seconds at most. */
  open(): Promise<void>
  /** Rejects when the storage fails or leaves several steps unanswered; every step has a limit. */
  read(): Promise<TokenRecord | null>
  /**
   * Reads, calls `update`, and writes its result as one step. `update` may be called more than once.
   * Resolves to whether the result was written; rejects when the storage failed or does not respond, and then writes nothing.
   */
  compareAndSet(update: Update): Promise<boolean>
  /** Ends a session whose tombstone could not be written. @returns whether the end survives a reload */
  bury(sessionId: string): boolean
  close(): Promise<void>
}

/**
 * A message between tabs. The record travels only when the ledger could not be written, and as the answer of a tab that
 * holds a newer one than the sender.
 */
export interface TabMessage {
  readonly sessionId: string
  readonly generation: number
  readonly record?: TokenRecord
}

/** The Web Lock of a refresh: not held without Web Locks, and lost when the page leaves the screen. */
export interface Lock {
  readonly held: boolean
}

/** Other tabs, and the browser's signals. */
export interface Coordinator {
  /** Starts listening. */
  open(handlers: { message(message: TabMessage | null): void; wake(cause: WakeCause): void; hide(): void }): void
  post(message: TabMessage): void
  /** Runs `work` under a lock shared by all tabs when it is granted in time, else without it. */
  exclusive(name: string, waitMs: number, work: (lock: Lock) => Promise<void>): Promise<void>
  isVisible(): boolean
  isOnline(): boolean
  close(): void
}

/** Time, replaceable in tests. */
export interface Clock {
  /** Wall clock, ms since 1970: for values shared by tabs. */
  now(): number
  /** Monotonic clock, ms: for durations in one tab. */
  elapsed(): number
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export interface RefreshTiming {
  /** After this long without a response the next call starts. */
  readonly timeoutMs: number
  /** A call is given up after this long; until then its response counts. */
  readonly lateMs: number
  /** Waits before the second, third, … call of one attempt. */
  readonly quickRetriesMs: readonly number[]
  /** Waits between attempts. The session adds its own random part, from the random numbers of its platform. */
  readonly backoff: Doubling
  /** A request ends a pause after a network failure this long after the pause began. */
  readonly demandMs: number
  readonly leaseMs: number
  readonly lockWaitMs: number
  /** Timeout of a request that waits for a refresh. */
  readonly waiterMs: number
  readonly retryAfterCapMs: number
  /** Time that sign-out waits for a refresh in flight, to revoke the newest token. */
  readonly logoutWaitMs: number
  /** A request waits this long for a slow ledger, then uses the token of this tab. */
  readonly readMs: number
  /** Interval at which a tab without a lock checks whether another tab's refresh is done. */
  readonly pollMs: number
  /** No refresh for this long after more than `breakerRefusals` tokens were refused and none was accepted. */
  readonly breakerMs: number
  readonly breakerRefusals: number
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
  /** Loads the stored session and starts listening to the other tabs. Idempotent. */
  initialize(): Promise<AuthSnapshot>
  getSnapshot(): AuthSnapshot
  /** Subscribes to changes of the snapshot; for `useSyncExternalStore` and stores. */
  subscribe(onChange: () => void): () => void
  onAuthStateChange(listener: (event: AuthEvent) => void): () => void
  /** Begins a session with a pair, from a code exchange or entered by hand. */
  setSession(tokens: TokenPair): Promise<AuthSnapshot>
  /**
   * Returns the current token; `null` when signed out. Waits while a dead token is being replaced.
   * @throws RefreshUnavailableError when that does not succeed in time
   */
  getAccessToken(options?: { signal?: AbortSignal | null | undefined }): Promise<AccessToken | null>
  /** Replaces the pair, because generation `rejectedGeneration` was refused or at the caller's request. */
  refreshSession(options?: {
    rejectedGeneration?: number
    signal?: AbortSignal | null | undefined
  }): Promise<RefreshOutcome>
  /** An operation accepted this token: the session works. */
  confirmAccess(token: AccessToken): void
  /** Ends the session in all tabs immediately; notifies the server in the background. */
  signOut(options?: { notifyServer?: boolean }): Promise<void>
  /** Stops listening. A refresh in flight is finished and stored. */
  dispose(): Promise<void>
}
