import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Broadcast, Graph } from '#contract/entities/broadcast.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { keyOf, q } from '#src/api/query.ts'
import { Chart } from '#src/components/chart.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useNow } from '#src/lib/use-now.ts'
import { download } from '#src/lib/download.ts'
import { Button } from '#src/ui/button.tsx'
import { withGaps } from '#src/ui/chart/points.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './broadcasts.module.css'
import { type Event, readAll } from './events-file.ts'
import { lanesOf } from './lanes.ts'
import { measuresCsv, measuresOf } from './measures-file.ts'
import { TimelineLanes, TimelineLegend } from './timeline-lanes.tsx'
import { useEventWords } from './use-event-words.ts'

const none: readonly Event[] = []
/** Maximum number of events on the axis; more would merge into a solid stripe. */
const eventsMax = 1_000

interface Props {
  readonly project_id: number
  readonly one: Broadcast
  readonly everyMs: number | false
}

/** Bitrate, viewers, events and channels of a broadcast on one time axis. */
export function TimelineCard({ project_id, one, everyMs }: Props) {
  const { t } = useTranslation('broadcasts')
  const which = { project_id, broadcast_id: one.id }
  const graph = useQuery({ ...q(broadcasts.bitrate, which), refetchInterval: everyMs })
  const viewers = useQuery({ ...q(broadcasts.viewers, which), refetchInterval: everyMs && 60_000 })
  const events = useQuery({
    queryKey: [...keyOf(broadcasts.events, { ...which, sort_by_date: 'asc' }), eventsMax],
    // Uses the query of a regular page, so that realtime events are added to it.
    queryFn: async ({ client }) => {
      const { events: results } = await readAll(which, eventsMax, sessionOf(client))
      return { results, total: results.length, limit: eventsMax }
    },
    refetchInterval: everyMs,
  })
  const save = (format: 'csv' | 'json') => {
    const measures = graph.data ? measuresOf(graph.data, viewers.data) : []
    const name = `broadcast-${one.id}-measures.${format}`
    if (format === 'csv') download(name, 'text/csv;charset=utf-8', measuresCsv(measures))
    else download(name, 'application/json', `${JSON.stringify(measures, null, 2)}\n`)
  }
  return (
    <Card title={t('timeline.title')} note={t('timeline.note')}>
      <QueryPart query={graph} failed={t('graph.failed')} skeleton={<Skeleton height={250} />}>
        {(bitrate) => (
          <Timeline one={one} bitrate={bitrate} viewers={viewers.data} events={events.data?.results ?? none} />
        )}
      </QueryPart>
      {graph.data && graph.data.labels.length > 0 && (
        <div className={styles.foot} role="group" aria-label={t('timeline.export')}>
          {(['csv', 'json'] as const).map((format) => (
            <Button key={format} look="outline" onClick={() => save(format)}>
              {t(`events.${format}`)}
            </Button>
          ))}
        </div>
      )}
    </Card>
  )
}

interface TimelineProps {
  readonly one: Broadcast
  readonly bitrate: Graph
  readonly viewers: Graph | undefined
  readonly events: readonly Event[]
}

function Timeline({ one, bitrate, viewers, events }: TimelineProps) {
  const { t } = useTranslation('broadcasts')
  const now = useNow()
  const [zoom, setZoom] = useState<readonly [number, number] | null>(null)
  // The first step of the graph may start before the broadcast.
  const from = Math.min(Math.floor(Date.parse(one.created_at) / 1000), ...bitrate.labels.slice(0, 1))
  const last = Math.max(from + 1, ...bitrate.labels.slice(-1))
  const to = one.finish_at === null ? Math.max(last, Math.floor(now / 1000)) : Date.parse(one.finish_at) / 1000
  const series = useSeries(bitrate, viewers)
  const markers = useMarkers(events)
  const lanes = useMemo(() => lanesOf(one.restreams, events, to), [one.restreams, events, to])
  const below = events.length > 0 && <TimelineLanes lanes={lanes} from={zoom?.[0] ?? from} to={zoom?.[1] ?? to} />
  return (
    <>
      {bitrate.labels.length === 0 ? (
        <>
          <p className={styles.quiet}>{t('graph.none')}</p>
          {below}
        </>
      ) : (
        <Chart
          key={series.length}
          label={t('timeline.title')}
          series={series}
          markers={markers}
          from={from}
          to={to}
          onRange={setZoom}
        >
          {below}
        </Chart>
      )}
      {events.length > 0 && <TimelineLegend />}
    </>
  )
}

/** Chart series: bitrate, and viewers when a platform reported them. */
function useSeries(bitrate: Graph, viewers: Graph | undefined) {
  const { t } = useTranslation('broadcasts')
  const language = useLanguage()
  return useMemo(() => {
    const pointsOf = ({ data, labels, setting }: Graph) =>
      withGaps(
        labels.map((at, index) => ({ at, value: data[index] ?? 0 })),
        setting.step * 4,
      )
    const kbps = (value: number) => formatBitrate(Math.round(value), language)
    const count = (value: number) => formatNumber(Math.round(value), language)
    const first = { name: t('graph.title'), points: pointsOf(bitrate), format: kbps, scale: 'kbps' }
    if (!viewers || viewers.data.length === 0) return [first]
    return [first, { name: t('timeline.viewers'), points: pointsOf(viewers), format: count, scale: 'viewers' }]
  }, [bitrate, viewers, t, language])
}

/** Kinds of events whose markers are green. */
const good: ReadonlySet<string> = new Set(['live', 'source-back', 'backup-on'])
const tones = { debug: 'neutral', info: 'neutral', warning: 'warn', error: 'warn' } as const

/** Events as markers on the axis. */
function useMarkers(events: readonly Event[]) {
  const wordsOf = useEventWords()
  return events.map((event) => ({
    at: Date.parse(event.created_at) / 1000,
    label: wordsOf(event).what,
    tone: good.has(event.kind) ? ('ok' as const) : tones[event.level],
  }))
}
