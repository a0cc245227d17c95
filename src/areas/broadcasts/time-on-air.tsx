import { useStatus } from '#src/components/use-status.ts'
import { formatDuration, msOnAir, type TimesOnAir } from '#src/lib/duration.ts'
import { Elapsed } from './elapsed.tsx'

/** Time on air of a broadcast: it counts while the encoder sends, and stands still else. */
export function TimeOnAir(times: TimesOnAir) {
  const { from, to, away = 0 } = times
  if (to !== null) return <span>{formatDuration(msOnAir(times, 0))}</span>
  return <Elapsed since={new Date(Date.parse(from) + away * 1000).toISOString()} />
}

interface RunningProps extends Pick<TimesOnAir, 'from' | 'away'> {
  readonly projectId: number
}

/** Polling interval without realtime events, milliseconds. */
const everyMs = 10_000

/** Time on air of the running broadcast of a project: its status changes as soon as the encoder stops or returns. */
export function RunningTime({ projectId, from, away: last }: RunningProps) {
  const { data } = useStatus(projectId, everyMs)
  const { date_lost: to = null, away = last } = data && data.kind !== 'inactive' ? data : {}
  return <TimeOnAir from={from} to={to} away={away} />
}
