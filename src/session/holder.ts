// What this tab holds of the session, and how it follows what the ledger and the other tabs say.
import { type createState } from './state.ts'
import type { AccessToken, SignedOutReason, TabMessage, TokenRecord, TokenStore } from './types.ts'

export interface HolderDeps {
  readonly state: ReturnType<typeof createState>
  readonly store: TokenStore
  readonly post: (message: TabMessage) => void
  /** The token or the session is another one, or there is none any more. */
  readonly onChange: () => void
}

export type Holder = ReturnType<typeof createHolder>

/** Runs everything in a set and empties it. */
export function flush(set: Set<() => void>): void {
  for (const run of set) run()
  set.clear()
}

/** Keeps the record in use and the snapshot in step with it. */
export function createHolder({ state, store, post, onChange }: HolderDeps) {
  /** Counts own changes: what was read before one is out of date. */
  let epoch = 0
  let reading: Promise<void> | undefined
  let isStale = false
  /** Sessions that ended here, whatever a slow read still says. */
  const over = new Set<string>()

  const self = {
    /** The record in use; never a tombstone. */
    record: null as TokenRecord | null,
    /** It is ahead of a ledger that could not be written. */
    unsaved: false,
    /** Generation whose access token was refused. */
    rejected: 0,
    isDisposed: false,

    isOf: (sessionId: string) => self.record?.sessionId === sessionId,

    token(): AccessToken | null {
      if (!self.record?.pair) return null
      const { pair, generation, sessionId, obtainedAt } = self.record
      return { value: pair.accessToken, generation, sessionId, obtainedAt }
    },

    /** Works with this record from now on. */
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

    /** Nobody is signed in any more. */
    end(reason: SignedOutReason) {
      if (self.record) over.add(self.record.sessionId)
      self.record = null
      self.unsaved = false
      epoch++
      state.set({ status: 'unauthenticated', sessionId: null, generation: 0, reason, retryAt: null })
      state.emit({ type: 'signed_out', reason })
      onChange()
    },

    /** Takes in what the ledger says, or another tab whose writing failed. */
    apply(record: TokenRecord | null, isMessage = false) {
      const { record: held, unsaved } = self
      if (!record) {
        if (held && !unsaved) self.end('storage_cleared')
      } else if (held && self.isOf(record.sessionId)) {
        if (!record.pair) self.end(record.ended === 'expired' ? 'expired' : 'other_tab')
        else if (record.generation >= held.generation) {
          if (record.generation > held.generation) self.unsaved = isMessage
          self.use(record)
        }
      } else if (!over.has(record.sessionId) && !(unsaved && held && record.obtainedAt < held.obtainedAt)) {
        if (record.pair) {
          self.unsaved = isMessage
          self.use(record)
        } else if (held && !isMessage) self.end('other_tab')
      }
    },

    /** Looks into the ledger. Many callers share one look; one that knows of news gets a look begun after it. */
    sync(isNews = false): Promise<void> {
      isStale ||= isNews
      return (reading ??= look().finally(() => {
        reading = undefined
      }))
    },

    /** Tells the other tabs; hands them the record itself when the ledger does not have it. */
    announce(record: TokenRecord, isLost: boolean) {
      const { sessionId, generation } = record
      post({ sessionId, generation, ...(isLost ? { record } : {}) })
    },

    /** Says where the session lives; with an error: in this tab only, for now. */
    persisted(error?: unknown) {
      const mode = error ? 'memory' : store.mode
      if (mode === state.get().persistence) return
      state.set({ persistence: mode })
      state.emit({ type: 'persistence', mode, ...(error ? { error: (error as Error).name } : {}) })
    },
  }

  async function look() {
    do {
      isStale = false
      const at = epoch
      const record = await store.read().catch(() => self.record)
      if (self.isDisposed) return
      if (at === epoch) self.apply(record)
      else isStale = true
    } while (isStale)
    if (!self.unsaved) self.persisted()
  }

  return self
}
