// State of the realtime connection. Pages poll only while it is not live.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/**
 * `idle`: not started · `connecting`: for the first time, or after a short interruption · `live`: publications arrive ·
 * `away`: no publications, and pages poll every few seconds.
 */
export type RealtimeStatus = 'idle' | 'connecting' | 'live' | 'away'

interface RealtimeState {
  readonly status: RealtimeStatus
  /** Project of the connection. */
  readonly projectId: number | null
}

const store = createStore<RealtimeState>(() => ({ status: 'idle', projectId: null }))

/** Sets the state of the connection. */
export const setRealtime = (projectId: number | null, status: RealtimeStatus): void =>
  store.setState({ projectId, status })

/** Returns whether publications of a project arrive. */
export const useIsLive = (projectId: number): boolean =>
  useStore(store, (state) => state.status === 'live' && state.projectId === projectId)

export const useRealtimeStatus = (): RealtimeStatus => useStore(store, ({ status }) => status)

/**
 * Polling interval of a page, milliseconds: only while the connection is not live. Queries pause by themselves while
 * the page is hidden.
 * @example useQuery({ ...q(broadcasts.list, ask), refetchInterval: usePolling(projectId, 30_000) })
 */
export const usePolling = (projectId: number, everyMs: number): number | false =>
  useIsLive(projectId) ? false : everyMs
