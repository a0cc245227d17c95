// One query cache per session id: nothing of one person is ever shown to the next.
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import type { AuthSession } from '#src/session/types.ts'
import { createSessionQueryClient } from './query-client.ts'

/** Gives the pages below a cache of their own session; everything is rendered anew when another one begins. */
export function SessionQueryProvider({ session, children }: { session: AuthSession; children: ReactNode }) {
  const sessionId = useSyncExternalStore(session.subscribe, () => session.getSnapshot().sessionId)
  return (
    <Cache key={sessionId} client={createSessionQueryClient} session={session}>
      {children}
    </Cache>
  )
}

function Cache(props: { client: (session: AuthSession) => QueryClient; session: AuthSession; children: ReactNode }) {
  const [client] = useState(() => props.client(props.session))
  return <QueryClientProvider client={client}>{props.children}</QueryClientProvider>
}
