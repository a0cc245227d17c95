import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Broadcast } from '#contract/entities/broadcast.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { formatBytes } from './format-bytes.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { OutcomeBadge, RestreamBadge } from './restream-badge.tsx'
import { useWhy } from './use-event-words.ts'
import styles from './broadcasts.module.css'
import { platformNamed } from '#src/components/use-platform.ts'

interface Props {
  readonly projectId: string
  readonly restreams: Broadcast['restreams']
}

/** Destinations of a broadcast. */
export function RestreamList({ projectId, restreams }: Props) {
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
