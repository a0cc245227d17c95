// Detects the first view: until its queries are answered, deferred work does not compete with them for the network.
import { useIsFetching } from '@tanstack/react-query'
import { useDeferredValue, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Milliseconds without a query in flight after which the first view is complete. */
const quietMs = 300
/** Milliseconds after which an unanswered query no longer delays deferred work. */
const patienceMs = 5_000

const store = createStore<{ readonly isSettled: boolean }>(() => ({ isSettled: false }))

/** True once the first view of this visit is complete. */
export const useSettled = (): boolean => useStore(store, ({ isSettled }) => isSettled)

/** Detects the end of the first view. Mount it inside the page's Suspense boundary, after the page. */
export function FirstView(): null {
  const isAnswered = useIsFetching() === 0
  // `QueryPart` renders answers at the same low priority: once this is true, they are shown.
  const isShown = useDeferredValue(isAnswered)
  const isQuiet = isAnswered && isShown
  useEffect(() => {
    const timer = setTimeout(() => store.setState({ isSettled: true }), isQuiet ? quietMs : patienceMs)
    return () => clearTimeout(timer)
  }, [isQuiet])
  return null
}
