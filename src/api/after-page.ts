// What is around the page asks after the page: a browser keeps six connections to a server, and they are the page's first.
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Between an answer and the questions that follow from it. */
const pauseMs = 300
/** A page that gets no answer keeps the rest waiting no longer than this. */
const patienceMs = 3000

/** Whether the page has got what it asked for when it came. */
export function useAfterPage(): boolean {
  const [isAfter, setAfter] = useState(false)
  const isStill = useIsFetching() === 0
  useEffect(() => {
    const timer = setTimeout(setAfter, isStill ? pauseMs : patienceMs, true)
    return () => clearTimeout(timer)
  }, [isStill])
  return isAfter
}
