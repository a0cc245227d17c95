// Query cache of one session: retries, refetching, and clearing at the end of the session.
import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query'
import { doubledMs } from '#contract/core/backoff.ts'
import { requestRetries } from '#src/lib/backoff.ts'
import { isTransient, RateLimitError, RefreshUnavailableError } from '#src/session/errors.ts'
import type { AuthSession } from '#src/session/types.ts'
import { hasUnsaved } from '#src/stores/unsaved.ts'

/** Delay before a retry: as the server or the session requests, else 1 s, 2 s, 4 s … up to 30 s. */
const waitBefore = (failures: number, error: unknown): number => {
  if (error instanceof RateLimitError && error.retryAfterMs !== null) return error.retryAfterMs
  if (error instanceof RefreshUnavailableError) return Math.max(error.retryAt - Date.now(), requestRetries.firstMs)
  return doubledMs(requestRetries, failures + 1)
}

const owners = new WeakMap<QueryClient, () => string | null>()

/** Session of a query cache: its queries and mutations are sent under that session only. `null` before the first one. */
export const sessionOf = (queries: QueryClient): string | null => owners.get(queries)?.() ?? null

/**
 * Creates the cache of the current session. The cache is cleared when that session ends or another one begins;
 * `SessionQueryProvider` creates the next.
 */
export function createSessionQueryClient(session: AuthSession): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && isTransient(error),
        retryDelay: waitBefore,
        staleTime: 10_000,
        networkMode: 'online',
      },
      // Offline, a write fails immediately: a paused one would be sent later, unnoticed.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  let { sessionId } = session.getSnapshot()
  owners.set(queries, () => sessionId)
  let wasDegraded = false
  const off = session.subscribe(() => {
    const next = session.getSnapshot()
    if (next.sessionId !== sessionId && sessionId !== null) {
      off()
      void queries.cancelQueries()
      // A page with unsaved input keeps its data until the next sign-in (`SessionQueryProvider`).
      if (!hasUnsaved()) queries.clear()
    } else if (next.sessionId !== sessionId) {
      sessionId = next.sessionId
      // Signed in: refetch the queries that failed without a session.
      void queries.resetQueries({ predicate: isFailed })
    } else if (next.status === 'degraded') {
      wasDegraded = true
    } else if (next.status === 'authenticated' && wasDegraded) {
      wasDegraded = false
      void queries.refetchQueries({ type: 'active', predicate: isFailed })
    }
  })
  return queries
}

const isFailed = (query: { state: { status: string } }) => query.state.status === 'error'

/**
 * Lets queries refetch on wake-up only after the session has read the ledger: otherwise the server would refuse each of
 * them first, with a token that another tab has replaced long ago. Call once per session.
 */
export function wakeQueriesAfter(session: AuthSession): void {
  focusManager.setEventListener((refocus) =>
    session.onAuthStateChange((event) => {
      if (event.type === 'woke' && event.cause !== 'online') refocus()
    }),
  )
  onlineManager.setEventListener((setOnline) => {
    const lost = () => setOnline(false)
    globalThis.addEventListener?.('offline', lost)
    const off = session.onAuthStateChange((event) => {
      if (event.type === 'woke') setOnline(navigator.onLine)
    })
    return () => {
      globalThis.removeEventListener?.('offline', lost)
      off()
    }
  })
}
