// Whether the project that is open is on air: what the tab of the browser shows, whatever page is in it.
import { createStore } from 'zustand/vanilla'

/** `trouble`: on air, and something is not well. */
export type Air = 'off' | 'on' | 'lost' | 'paused' | 'trouble'

/** Null while it is not known. */
export const airStore = createStore<{ air: Air | null }>(() => ({ air: null }))

export const setAir = (air: Air | null): void => airStore.setState({ air })
