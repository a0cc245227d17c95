// On-air state of the open project, shown in the title and icon of the browser tab on every page.
import { createStore } from 'zustand/vanilla'

/** `warning` and `problem`: the verdict on the broadcast; `held`: the encoder ended the stream itself. */
export type Air = 'off' | 'on' | 'lost' | 'held' | 'paused' | 'warning' | 'problem'

/** Null while unknown. */
export const airStore = createStore<{ air: Air | null }>(() => ({ air: null }))

export const setAir = (air: Air | null): void => airStore.setState({ air })
