import { useSyncExternalStore } from 'react'

/** Whether somebody can see the page. */
export const useVisible = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => document.visibilityState !== 'hidden',
  )
