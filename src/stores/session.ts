// Mirror of the session's snapshot for components, never with a token.
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AuthSession, AuthSnapshot } from '#src/session/types.ts'

export interface AuthState extends AuthSnapshot {
  signOut(): Promise<void>
  /** Tries to renew the session now, while it is `degraded`. */
  retry(): Promise<void>
}

/** Creates a store that follows a session for the lifetime of the page. */
export function createAuthStore(session: AuthSession): StoreApi<AuthState> {
  const store = createStore<AuthState>(() => ({
    ...session.getSnapshot(),
    signOut: () => session.signOut(),
    retry: async () => void (await session.refreshSession()),
  }))
  session.subscribe(() => store.setState(session.getSnapshot()))
  return store
}

let current: StoreApi<AuthState> | undefined

/** Sets the session of `useAuth`. Call before the first render; to change it, render anew. */
export function configureAuth(session: AuthSession): void {
  current = createAuthStore(session)
}

/** The store of the session, for use outside of components. */
export function authStore(): StoreApi<AuthState> {
  if (!current) throw new Error('configureAuth was not called')
  return current
}

/**
 * Returns the session, or a part of it.
 * @example const status = useAuth((auth) => auth.status)
 */
export function useAuth(): AuthState
export function useAuth<T>(select: (auth: AuthState) => T): T
export function useAuth<T>(select?: (auth: AuthState) => T): T | AuthState {
  return useStore(authStore(), select ?? ((auth) => auth as T & AuthState))
}
