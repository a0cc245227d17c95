import { IconBroadcast } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { usePolling } from '#src/realtime/store.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDateTime, formatNumber } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card, Cards } from '#src/ui/card.tsx'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { EventsCard } from './events-card.tsx'
import { RecordingsCard } from './recordings-card.tsx'
import { TimelineCard } from './timeline-card.tsx'
import type { Broadcast } from '#contract/entities/broadcast.ts'
import { ownNode } from '#contract/core/codes.ts'
import { Bitrate } from '#src/components/bitrate.tsx'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { RunningTime, TimeOnAir } from './time-on-air.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { OutcomeBadge, RestreamBadge } from './restream-badge.tsx'
import { useStatus } from '#src/components/use-status.ts'
import { useWhy } from './use-event-words.ts'
import { VerdictNote } from './verdict-note.tsx'
import styles from './broadcasts.module.css'
import { platformNamed } from '#src/components/use-platform.ts'

const runningMs = 10_000
/** Refetch interval of graphs in milliseconds: the service computes the averages of their points. */
const graphMs = 30_000

/** Broadcast page: timeline, destinations, recordings and events. */
export function BroadcastPage() {
  const { t } = useTranslation('broadcasts')
  const language = useLanguage()
  const { projectId = '', broadcastId = '' } = useParams()
  const which = { project_id: Number(projectId), broadcast_id: Number(broadcastId) }
  const polling = usePolling(which.project_id, runningMs)
  const one = useQuery({
    ...q(broadcasts.get, which),
    refetchInterval: ({ state }) => state.data?.finish_at === null && polling,
  })
  const isRunning = one.data?.finish_at === null
  const name = one.data ? formatDateTime(one.data.created_at, language) : `#${broadcastId}`
  return (
    <Page
      title={name}
      intro={<Link to={paths.broadcasts(projectId)}>{t('one.back')}</Link>}
      actions={
        isRunning && (
          <Badge tone="live" icon={<IconBroadcast size={14} aria-hidden />}>
            {t('onAir')}
          </Badge>
        )
      }
    >
      {isRunning && <RunningVerdict projectId={which.project_id} broadcastId={which.broadcast_id} />}
      <QueryPart query={one} failed={t('one.failed')} skeleton={<Skeleton height={340} />}>
        {(data) => (
          <Cards>
            <Card title={t('facts.title')}>
              <BroadcastFacts projectId={which.project_id} one={data} />
            </Card>
            <Card title={t('restreams.title')}>
              <RestreamList projectId={projectId} restreams={data.restreams} />
            </Card>
          </Cards>
        )}
      </QueryPart>
      {one.data && (
        <TimelineCard project_id={which.project_id} one={one.data} everyMs={isRunning && (polling || graphMs)} />
      )}
      {!one.isPending && (
        <>
          <RecordingsCard {...which} isRunning={isRunning} />
          <EventsCard {...which} isRunning={isRunning} />
        </>
      )}
    </Page>
  )
}

const tones = { unknown: 'neutral', good: 'ok', warning: 'warn', problem: 'warn' } as const

/** Verdict on the running broadcast, as Home and the header show it. */
function RunningVerdict({ projectId, broadcastId }: { readonly projectId: number; readonly broadcastId: number }) {
  const { t } = useTranslation('faults')
  const { data, isPending } = useStatus(projectId, runningMs)
  if (isPending) return <Skeleton height={26} />
  if (!data || data.kind === 'inactive' || data.broadcast_id !== broadcastId || !data.verdict) return null
  const { level } = data.verdict
  return (
    <section className={styles.verdict} aria-label={t('title')}>
      <Badge tone={tones[level]}>{t(`level.${level}`)}</Badge>
      {level === 'good' && <span className={styles.quiet}>{t('clean')}</span>}
      <VerdictNote projectId={projectId} verdict={data.verdict} />
    </section>
  )
}

/** Facts of a broadcast: times, bitrate, video, encoder. */
function BroadcastFacts({ projectId, one }: { readonly projectId: number; readonly one: Broadcast }) {
  const { t } = useTranslation(['broadcasts', 'common'])
  const language = useLanguage()
  const { created_at: from, finish_at: to, bitrate, width, height, fps } = one
  const orNone = (value: string | null) => value || '–'
  return (
    <FactList>
      <Fact name={t('facts.from')}>
        <DateStamp iso={from} />
      </Fact>
      <Fact name={t('facts.to')} isQuiet={to === null}>
        {to === null ? t('facts.running') : <DateStamp iso={to} />}
      </Fact>
      <Fact name={t('facts.duration')}>
        {to === null ? (
          <RunningTime projectId={projectId} from={from} away={one.away} />
        ) : (
          <TimeOnAir from={from} to={to} away={one.away} />
        )}
      </Fact>
      <Fact name={t('facts.reconnects')}>{formatNumber(one.reconnects, language)}</Fact>
      <Fact name={t('facts.bitrate')}>{bitrate === null ? '–' : <Bitrate kbps={bitrate} />}</Fact>
      <Fact name={t('facts.video')}>
        {[
          width && height && `${width}×${height}`,
          fps && t('facts.fps', { fps: formatNumber(Math.round(fps), language) }),
        ]
          .filter(Boolean)
          .join(', ') || '–'}
      </Fact>
      {one.viewers > 0 && <Fact name={t('facts.viewers')}>{formatNumber(one.viewers, language)}</Fact>}
      <Fact name={t('facts.encoder')}>{orNone(one.encoder)}</Fact>
      <Fact name={t('facts.address')}>{orNone(one.ip)}</Fact>
      <Fact name={t('facts.server')}>{one.location === ownNode ? t('common:ownServer') : orNone(one.location)}</Fact>
    </FactList>
  )
}

interface RestreamListProps {
  readonly projectId: string
  readonly restreams: Broadcast['restreams']
}

/** Destinations of a broadcast. */
function RestreamList({ projectId, restreams }: RestreamListProps) {
  const { t } = useTranslation('broadcasts')
  const language = useLanguage()
  const whyOf = useWhy()
  if (restreams.length === 0) return <p>{t('restreams.none')}</p>
  return (
    <RowList label={t('restreams.title')}>
      {restreams.map(({ id, channel_id, name, type, state, reconnects, bytes, viewers, video, ...ended }) => (
        <Row
          key={id}
          lead={<PlatformIcon type={platformNamed(type).type} />}
          title={<Link to={paths.channel(projectId, channel_id)}>{name}</Link>}
          about={[
            platformNamed(type).title,
            t('restreams.sent', { size: formatBytes(bytes, language) }),
            reconnects > 0 && t('restreams.reconnects', { count: reconnects }),
            viewers > 0 && t('restreams.viewers', { count: viewers }),
          ]
            .filter(Boolean)
            .join(' · ')}
          actions={
            <>
              {video && (
                <a href={video} target="_blank" rel="noreferrer">
                  {t('restreams.watch')}
                </a>
              )}
              <Outcome state={state} {...ended} />
            </>
          }
        >
          {state === 'stopped' && outcomeOf(ended) && (
            <p className={styles.quiet}>{whyOf(ended.reason, ended.words)}</p>
          )}
        </Row>
      ))}
    </RowList>
  )
}

type Ended = Pick<Broadcast['restreams'][number], 'date_live' | 'reason'>

/** Returns the outcome of a failed channel; null for a channel that was stopped while healthy. */
function outcomeOf({ date_live, reason }: Ended): 'never' | 'ended' | null {
  if (date_live === null) return 'never'
  return reason ? 'ended' : null
}

function Outcome({ state, ...ended }: Ended & Pick<Broadcast['restreams'][number], 'state'>) {
  const outcome = state === 'stopped' ? outcomeOf(ended) : null
  return outcome ? <OutcomeBadge outcome={outcome} /> : <RestreamBadge state={state} />
}
