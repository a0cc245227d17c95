// What is around the page asks after the page: a browser keeps six connections to a server, and they are the page's first.
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Between an answer and the questions that follow from it. */
const pauseMs = 300
/** A page that does not come, or gets no answer, keeps the rest waiting no longer than this. */
const patienceMs = 5000

/** Whether the page is there, by its heading, and has got what it asked for. */
export function useAfterPage(): boolean {
  const [began] = useState(Date.now)
  const [isAfter, setAfter] = useState(false)
  const isStill = useIsFetching() === 0
  useEffect(() => {
    if (isAfter) return
    const timer = setInterval(() => {
      const isThere = isStill && document.querySelector('main h1') !== null
      if (isThere || Date.now() - began > patienceMs) setAfter(true)
    }, pauseMs)
    return () => clearInterval(timer)
  }, [isStill, isAfter, began])
  return isAfter
}
