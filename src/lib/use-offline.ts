import { useSyncExternalStore } from 'react'

/** The browser fires no `offline` or `online` for a page that is frozen or in the cache: it is read again when the page shows. */
const signals = ['online', 'offline', 'pageshow'] as const

function subscribe(changed: () => void): () => void {
  for (const signal of signals) addEventListener(signal, changed)
  document.addEventListener('visibilitychange', changed)
  return () => {
    for (const signal of signals) removeEventListener(signal, changed)
    document.removeEventListener('visibilitychange', changed)
  }
}

/** True while the browser has no network. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, () => !navigator.onLine)
