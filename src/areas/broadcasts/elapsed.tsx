import { Ticking } from '#src/components/ticking.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { clock, useNow } from '#src/lib/use-now.ts'

const seconds = clock(1000)

/** Elapsed time since a moment, updated every second. */
export function Elapsed({ since }: { readonly since: string }) {
  return <Ticking source={seconds} role="timer" text={(now) => formatDuration(now - Date.parse(since))} />
}

/** Countdown in seconds to a moment. */
export function Countdown({ until, text }: { readonly until: string; readonly text: (seconds: number) => string }) {
  const now = useNow(1000)
  return <span className="tabular">{text(Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)))}</span>
}
