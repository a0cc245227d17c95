// Number of unread important notifications of the user, shown in the title of the browser tab.
import { createStore } from 'zustand/vanilla'

/** 0 while unknown. */
export const unreadStore = createStore<{ readonly important: number }>(() => ({ important: 0 }))
