// On-air state of the open project, shown in the title and icon of the browser tab on every page.
import { createStore } from 'zustand/vanilla'

/** `trouble`: on air with a problem. */
export type Air = 'off' | 'on' | 'lost' | 'paused' | 'trouble'

/** Null while unknown. */
export const airStore = createStore<{ air: Air | null }>(() => ({ air: null }))

export const setAir = (air: Air | null): void => airStore.setState({ air })
