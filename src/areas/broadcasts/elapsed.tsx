import { useNow } from '#src/lib/use-now.ts'
import { formatDuration } from '#src/lib/duration.ts'

/** A running stopwatch. A screen reader may read it, and is not told every second. */
export function Elapsed({ since }: { readonly since: string }) {
  const now = useNow(1000)
  return (
    <span role="timer" aria-live="off" className="tabular">
      {formatDuration(now - Date.parse(since))}
    </span>
  )
}

/** Seconds until a moment, counted down. */
export function Countdown({ until, text }: { readonly until: string; readonly text: (seconds: number) => string }) {
  const now = useNow(1000)
  return <span className="tabular">{text(Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)))}</span>
}
