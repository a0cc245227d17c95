// The record in use by this tab, kept in step with the ledger and the other tabs.
import { within } from './coordinator.ts'
import { pendingOf } from './record.ts'
import { type createState } from './state.ts'
import type { AccessToken, Clock, SignedOutReason, TabMessage, TokenRecord, TokenStore } from './types.ts'

export interface HolderDeps {
  readonly state: ReturnType<typeof createState>
  readonly store: TokenStore
  readonly clock: Clock
  /** Callers wait this long for a slow ledger. */
  readonly readMs: number
  readonly post: (message: TabMessage) => void
  /** The token or the session has changed, or the session has ended. */
  readonly onChange: () => void
}

export type Holder = ReturnType<typeof createHolder>

/** A tab whose read of the ledger failed reads anew after this long. */
const rereadMs = 5000

/** Reads anew some time after a failed read, unless another read ends before. Call after each read. */
function createRereader(clock: Clock, read: () => unknown) {
  let timer: unknown
  return (failure: unknown) => {
    clock.clearTimeout(timer)
    if (failure) timer = clock.setTimeout(() => void read(), rereadMs)
  }
}

/** Runs and removes all functions of a set. */
export function flush(set: Set<() => void>): void {
  for (const run of set) run()
  set.clear()
}

/** State of this tab that a record is judged by. */
interface TabView {
  readonly held: TokenRecord | null
  readonly unsaved: boolean
  readonly hasLedger: boolean
  /** The record comes from a tab with a failed write. */
  readonly isMessage: boolean
  readonly over: ReadonlySet<string>
}

/** Returns what follows from a record: the record to use, the reason why the session has ended, or `keep`. */
function decide(record: TokenRecord | null, view: TabView): TokenRecord | SignedOutReason | 'keep' {
  const { held, unsaved, hasLedger, isMessage, over } = view
  if (!record) return held && (!unsaved || hasLedger) ? 'storage_cleared' : 'keep'
  if (held && held.sessionId === record.sessionId) {
    if (!record.pair) return record.ended === 'expired' ? 'expired' : 'other_tab'
    return record.generation >= held.generation ? record : 'keep'
  }
  // The ledger decides which session is valid; without it, the later sign-in does.
  if (held && (unsaved || isMessage) && record.obtainedAt < held.obtainedAt) return 'keep'
  if (!record.pair) return held && !isMessage ? 'other_tab' : 'keep'
  return over.has(record.sessionId) ? 'keep' : record
}

/** Writes the record that the ledger is missing, if writing works again. */
async function repair(store: TokenStore, self: Pick<Holder, 'truth' | 'unsaved'>) {
  let isBehind = true
  const isWritten = await store
    .compareAndSet((current) => {
      const record = self.truth(current)
      isBehind = record !== current
      return isBehind && record ? record : undefined
    })
    .catch(() => false)
  // Unless it is up to date already.
  self.unsaved &&= !isWritten && isBehind
}

/** Publishes the storage in use; with an error: the memory of this tab. */
function publishMode(state: HolderDeps['state'], store: TokenStore, error: unknown) {
  const mode = error ? 'memory' : store.mode
  if (mode === state.get().persistence) return
  state.set({ persistence: mode })
  state.emit({ type: 'persistence', mode, ...(error ? { error: (error as Error).name } : {}) })
}

function tokenOf(record: TokenRecord | null): AccessToken | null {
  if (!record?.pair) return null
  const { pair, generation, sessionId, obtainedAt } = record
  return { value: pair.accessToken, generation, sessionId, obtainedAt }
}

/** Keeps the record in use and the snapshot consistent. */
export function createHolder({ state, store, clock, readMs, post, onChange }: HolderDeps) {
  /** Counts own changes: a read that began before one is out of date. */
  let epoch = 0
  let reading: Promise<unknown> | undefined
  let isStale = false
  const reread = createRereader(clock, () => self.isDisposed || void self.sync())
  /** The ledger has held a record, so an empty one was cleared. */
  let hasLedger = false
  /** Sessions that ended here; a slow read cannot bring them back. */
  const over = new Set<string>()

  const self = {
    /** The record in use; never a tombstone. */
    record: null as TokenRecord | null,
    /** A write to the ledger failed: it is out of date. */
    unsaved: false,
    /** Generation whose access token was refused. */
    rejected: 0,
    isDisposed: false,
    /** The ledger has revocations without an answer. */
    revoke: false,

    isOf: (sessionId: string) => self.record?.sessionId === sessionId,

    token: () => tokenOf(self.record),

    /** Replaces the record in use. */
    use(record: TokenRecord) {
      const { record: before } = self
      const { sessionId, generation } = record
      const isSame = self.isOf(sessionId)
      self.record = record
      if (isSame && before?.generation === generation) return
      epoch++
      self.rejected = 0
      if (before && !isSame) over.add(before.sessionId)
      state.set({ status: 'authenticated', sessionId, generation, reason: 'none', retryAt: null })
      state.emit({ type: isSame ? 'token_refreshed' : before ? 'session_changed' : 'signed_in', sessionId, generation })
      onChange()
    },

    /** Removes the record after the session has ended. */
    end(reason: SignedOutReason) {
      if (self.record) over.add(self.record.sessionId)
      self.record = null
      self.unsaved = false
      epoch++
      state.set({ status: 'unauthenticated', sessionId: null, generation: 0, reason, retryAt: null })
      state.emit({ type: 'signed_out', reason })
      onChange()
    },

    /** Applies a record from the ledger, or from a tab with a failed write. */
    apply(record: TokenRecord | null, isMessage = false) {
      const { record: held, unsaved } = self
      const next = decide(record, { held, unsaved, hasLedger, isMessage, over })
      if (next === 'keep') return
      if (typeof next === 'string') return self.end(next)
      if (!held || !self.isOf(next.sessionId) || next.generation > held.generation) self.unsaved = isMessage
      self.use(next)
    },

    /** The valid record: that of the ledger, unless this tab holds a newer one that could not be written. */
    truth(current: TokenRecord | null): TokenRecord | null {
      const { record } = self
      if (!self.unsaved || !record) return current
      if (!current) return hasLedger ? null : record
      const isBehind = self.isOf(current.sessionId)
        ? current.pair && current.generation < record.generation
        : current.obtainedAt < record.obtainedAt
      return isBehind ? { ...record, ...pendingOf(current) } : current
    },

    /**
     * Reads the ledger. Callers share one read; a caller with news gets a read that begins after it. The result of a
     * slow ledger is applied when it arrives; callers continue with the record of this tab.
     */
    sync(isNews = false): Promise<unknown> {
      isStale ||= isNews
      reading ??= within(
        clock,
        readMs,
        look().finally(() => {
          reading = undefined
        }),
      )
      return reading
    },

    /** Sends the record to a tab with an older one: that tab's ledger fails, or it would have read this record. */
    answer({ sessionId, generation }: TabMessage) {
      const { record } = self
      if (record && self.isOf(sessionId) && generation < record.generation) self.announce(record, true)
    },

    /** Notifies the other tabs; includes the record when the ledger does not have it. */
    announce(record: TokenRecord, isLost: boolean) {
      const { sessionId, generation } = record
      post({ sessionId, generation, ...(isLost ? { record } : {}) })
    },

    /** Publishes the storage in use; with an error: the memory of this tab. */
    persisted: (error?: unknown) => publishMode(state, store, error),
  }

  async function look() {
    let failure: unknown
    do {
      isStale = false
      failure = undefined
      const at = epoch
      try {
        if (self.unsaved) await repair(store, self)
        const record = await store.read()
        if (self.isDisposed) return
        if (at === epoch) {
          self.apply(record)
          hasLedger = record !== null
          self.revoke = !!record?.revoke?.length
        } else isStale = true
      } catch (error) {
        failure = error
      }
    } while (isStale)
    if (self.isDisposed) return
    if (failure || !self.unsaved) self.persisted(failure)
    reread(failure)
  }

  return self
}
