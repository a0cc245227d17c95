// What is around a page, and what of it can wait, asks after the page: a browser keeps six connections to a server, and they
// are the first view's. Once that has come nothing waits any more, also not on other pages.
import { useIsFetching } from '@tanstack/react-query'
import { startTransition, useDeferredValue, useEffect, useRef, useState } from 'react'
import { createStore } from 'zustand/vanilla'

/** Between an answer and the questions that follow from it. */
const pauseMs = 300
/** A page of which nothing more comes keeps the rest waiting no longer than this. */
const patienceMs = 5000

const store = createStore<{ readonly isAfter: boolean }>(() => ({ isAfter: false }))

/** Whether the first view is there. What waited for it is drawn piece by piece: it must not stop who uses the page already. */
export function useAfterPage(): boolean {
  const [isAfter, setAfter] = useState(() => store.getState().isAfter)
  useEffect(() => {
    if (isAfter) return undefined
    const look = () => startTransition(() => setAfter(store.getState().isAfter))
    look()
    return store.subscribe(look)
  }, [isAfter])
  return isAfter
}

/** Watches the first view come: its heading, and the answers to what it asked. Once, around all pages. */
export function useFirstView(): void {
  const isAfter = useAfterPage()
  const isAnswered = useIsFetching() === 0
  // What the last answer brings is drawn piece by piece (`QueryPart`), and seen as late as this.
  const isDrawn = useDeferredValue(isAnswered)
  const isStill = isAnswered && isDrawn
  const progress = useRef({ at: Infinity, files: -1 })
  useEffect(() => {
    if (isAfter) return undefined
    const timer = setInterval(() => {
      const files = performance.getEntriesByType('resource').length
      if (files > progress.current.files) progress.current = { at: Date.now(), files }
      const isThere = isStill && document.querySelector('main h1') !== null
      if (isThere || Date.now() - progress.current.at > patienceMs) store.setState({ isAfter: true })
    }, pauseMs)
    return () => clearInterval(timer)
  }, [isAfter, isStill])
}
