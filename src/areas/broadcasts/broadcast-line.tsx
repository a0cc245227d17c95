import { IconBroadcast, IconVideo } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type * as z from 'zod/mini'
import type { BroadcastRow } from '#contract/entities/broadcast.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './broadcasts.module.css'
import { RunningTime, TimeOnAir } from './time-on-air.tsx'
import { platformNamed } from '#src/components/use-platform.ts'

interface Props {
  readonly projectId: number | string
  readonly row: z.output<typeof BroadcastRow>
}

/** One broadcast: start, duration and destinations. */
export function BroadcastLine({ projectId, row }: Props) {
  const { t } = useTranslation('broadcasts')
  const language = useLanguage()
  const { list } = usePunctuation()
  const { id, created_at: from, finish_at: to, away, reconnects, restreams, recordings } = row
  const never = to === null ? 0 : restreams.filter(({ date_live }) => date_live === null).length
  const names = [...new Set(restreams.map(({ type }) => platformNamed(type).title))]
  return (
    <Row
      title={
        <Link to={paths.broadcast(projectId, id)}>
          <time dateTime={from}>{formatDateTime(from, language)}</time>
        </Link>
      }
      about={
        <>
          {to === null ? (
            <RunningTime projectId={Number(projectId)} from={from} away={away} />
          ) : (
            <TimeOnAir from={from} to={to} away={away} />
          )}
          {' · '}
          {names.length > 0 ? names.join(list) : t('list.nowhere')}
          {reconnects > 0 && ` · ${t('list.reconnects', { count: reconnects })}`}
        </>
      }
      actions={
        <>
          {to === null && (
            <Badge tone="live" icon={<IconBroadcast size={14} aria-hidden />}>
              {t('onAir')}
            </Badge>
          )}
          {never > 0 && <Badge tone="warn">{t('list.never', { count: never })}</Badge>}
          {Boolean(recordings) && <Badge icon={<IconVideo size={14} aria-hidden />}>{t('list.recorded')}</Badge>}
          <span className={styles.icons}>
            {[...new Set(restreams.map(({ type }) => platformNamed(type).type))].slice(0, 8).map((type) => (
              <PlatformIcon key={type} type={type} size={26} />
            ))}
          </span>
        </>
      }
    />
  )
}
