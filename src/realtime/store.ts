// Whether changes come by themselves. Pages ask again and again only while they do not.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/**
 * `idle`: nobody has begun · `connecting`: for the first time, or for a moment · `live`: changes come by themselves ·
 * `away`: they do not, and pages ask every few seconds.
 */
export type RealtimeStatus = 'idle' | 'connecting' | 'live' | 'away'

interface RealtimeState {
  readonly status: RealtimeStatus
  /** Project whose changes come. */
  readonly projectId: number | null
}

const store = createStore<RealtimeState>(() => ({ status: 'idle', projectId: null }))

/** Says how the connection is. */
export const setRealtime = (projectId: number | null, status: RealtimeStatus): void =>
  store.setState({ projectId, status })

/** Do changes of a project come by themselves? */
export const useIsLive = (projectId: number): boolean =>
  useStore(store, (state) => state.status === 'live' && state.projectId === projectId)

export const useRealtimeStatus = (): RealtimeStatus => useStore(store, ({ status }) => status)

/**
 * How often a page asks again: only while changes do not come by themselves. Not at all while the page is hidden, which
 * queries know.
 * @example useQuery({ ...q(broadcasts.list, ask), refetchInterval: usePolling(projectId, 30_000) })
 */
export const usePolling = (projectId: number, everyMs: number): number | false =>
  useIsLive(projectId) ? false : everyMs
