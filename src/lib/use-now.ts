import { useEffect, useState } from 'react'

/** Milliseconds since 1970, renewed every half minute: often enough for "in 40 minutes", seldom enough to cost nothing. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
