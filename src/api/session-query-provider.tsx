// One query cache per session id: nothing of one person is ever shown to the next.
import { QueryClientProvider } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore, type ReactNode } from 'react'
import type { AuthSession } from '#src/session/types.ts'
import { createSessionQueryClient } from './query-client.ts'

/**
 * Gives the pages below a cache of their own session. They stay mounted when another session begins, so that a form
 * outlives the session it was filled in under.
 */
export function SessionQueryProvider({ session, children }: { session: AuthSession; children: ReactNode }) {
  const sessionId = useSyncExternalStore(session.subscribe, () => session.getSnapshot().sessionId)
  // The id is what makes a new cache necessary, though the cache does not read it.
  const client = useMemo(() => ({ sessionId, queries: createSessionQueryClient(session) }), [session, sessionId])
  return <QueryClientProvider client={client.queries}>{children}</QueryClientProvider>
}
