// One query cache per session id: data of one user is never shown to the next.
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import type { AuthSession } from '#src/session/types.ts'
import { hasUnsaved } from '#src/stores/unsaved.ts'
import { createSessionQueryClient } from './query-client.ts'

interface Props {
  readonly session: AuthSession
  /** True while the signed-in user owns the data of this cache. */
  readonly isSamePerson: (queries: QueryClient) => Promise<boolean>
  /** Opens the home page of another user. */
  readonly leave: () => void
  readonly children: ReactNode
}

/**
 * Provides a cache per session to the pages below. The pages stay mounted when another session begins: a form with
 * unsaved input keeps it until the same user signs in again. Another user starts at the home page.
 */
export function SessionQueryProvider({ session, isSamePerson, leave, children }: Props) {
  const [caches] = useState(() => cachesOf(session, isSamePerson, leave))
  const queries = useSyncExternalStore(caches.subscribe, caches.current)
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}

/** The cache of the current session, as a store. */
function cachesOf(session: AuthSession, isSamePerson: Props['isSamePerson'], leave: () => void) {
  let { sessionId } = session.getSnapshot()
  let queries = createSessionQueryClient(session)

  function current(): QueryClient {
    const now = session.getSnapshot().sessionId
    if (now !== sessionId && !hasUnsaved()) {
      sessionId = now
      queries = createSessionQueryClient(session)
    }
    return queries
  }

  /** Handles a new session while a form has unsaved input. */
  async function takeOver(now: string): Promise<void> {
    sessionId = now
    if (!(await isSamePerson(queries))) return leave()
    const kept = queries.getQueryCache().getAll()
    queries = createSessionQueryClient(session)
    for (const { queryKey, state } of kept) if (state.data !== undefined) queries.setQueryData(queryKey, state.data)
  }

  const subscribe = (onChange: () => void) =>
    session.subscribe(() => {
      const now = session.getSnapshot().sessionId
      if (now !== sessionId && now !== null && hasUnsaved()) void takeOver(now).then(onChange)
      else onChange()
    })

  return { current, subscribe }
}
