import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnAir } from '#contract/entities/on-air.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { BitrateGraph } from '#src/areas/broadcasts/bitrate-graph.tsx'
import { LiveFiguresContext } from './live-figures.ts'
import { afterHole, holeS, lastMinutes } from './samples.ts'
import { ownNode } from '#contract/core/codes.ts'
import { Ticking } from '#src/components/ticking.tsx'
import { formatBitrate, formatNumber, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from '#src/app/home/home.module.css'

const codecs: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  hvc1: 'H.265',
  mp4a: 'AAC',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  av01: 'AV1',
}

/** Figures of the incoming stream. Only the bitrate changes each second. */
function OnAirFacts({ onAir }: { readonly onAir: OnAir }) {
  const { t } = useTranslation('home', { keyPrefix: 'facts' })
  const { t: common } = useTranslation()
  const language = useLanguage()
  const { fps, resolution, key_frame, video_codec_name, audio_codec_name, encoder, server } = onAir
  const codec = [video_codec_name, audio_codec_name]
    .filter((name) => name !== null)
    .map((name) => codecs[name.trim()] ?? name.trim())
  const facts = [
    ['fps', fps === null ? '' : formatNumber(fps, language)],
    ['resolution', resolution.replace('x', '×')],
    ['codec', codec.join(' + ')],
    [
      'keyFrame',
      key_frame === null ? '' : t('seconds', { value: formatNumber(Math.round(key_frame * 10) / 10, language) }),
    ],
    ['encoder', onAir.kind === 'scheduler' ? t('schedule') : encoder],
    ...(onAir.paths
      ? ([['paths', onAir.paths.map(({ share }) => formatPercent(share, language)).join(' · ')]] as const)
      : []),
    ['server', server === ownNode ? common('ownServer') : server],
    ['reconnects', formatNumber(onAir.reconnects, language)],
  ] as const
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('bitrate')}</dt>
        <dd>
          <BitrateNow />
        </dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Bitrate of the last second. */
function BitrateNow() {
  const figures = use(LiveFiguresContext)
  const language = useLanguage()
  return <Ticking source={figures} text={({ bitrate: b }) => (b === null ? '–' : formatBitrate(b, language))} />
}

interface Props {
  readonly projectId: number
  readonly onAir: OnAir
}

const room = <Skeleton height={190} />

/** Incoming stream, now and over the last minutes. */
export function SignalCard({ projectId, onAir }: Props) {
  const { t } = useTranslation('home')
  const { broadcast_id: broadcastId } = onAir
  return (
    <Card
      title={t('signal.title')}
      actions={<Link to={paths.broadcast(projectId, broadcastId)}>{t('onAir.more')}</Link>}
    >
      <Deferred room={room}>
        <SignalGraph projectId={projectId} broadcastId={broadcastId} />
      </Deferred>
      <OnAirFacts onAir={onAir} />
      <HelpLinkLater article="start/quality" />
    </Card>
  )
}

interface SignalGraphProps {
  readonly projectId: number
  readonly broadcastId: number
}

/** Incoming bitrate over the last minutes. */
function SignalGraph({ projectId, broadcastId }: SignalGraphProps) {
  const { data, refetch } = useQuery({
    ...q(broadcasts.bitrate, { project_id: projectId, broadcast_id: broadcastId }),
    staleTime: Infinity,
  })
  const seen = useStore(use(LiveFiguresContext), ({ samples }) => samples)
  // The service knows the bitrate of the gaps.
  const missedAt = afterHole(seen)
  useEffect(() => {
    if (missedAt > 0) void refetch()
  }, [missedAt, refetch])
  const samples = useMemo(() => {
    const known = (data?.labels ?? []).map((at, index) => ({ at, kbps: data?.data[index] ?? 0 }))
    return lastMinutes(known, seen)
  }, [data, seen])
  return samples.length === 0 ? room : <BitrateGraph samples={samples} gap={holeS} isSmall />
}
