import { IconMovie } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { videos } from '#contract/areas/media/videos.ts'
import { q } from '#src/api/query.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { usePageView } from '#src/components/use-list-view.ts'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { usePolling } from '#src/realtime/store.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import styles from './media.module.css'
import { VideoRow } from './video-row.tsx'

const pageSize = 20

interface Props {
  readonly projectId: number
  readonly mayEdit: boolean
}

/** Films that are ready, and finished recordings, newest first, with the space that they use. */
export function VideosCard({ projectId, mayEdit }: Props) {
  const { t } = useTranslation('media')
  const { view, to } = usePageView()
  const list = useQuery({
    ...q(videos.list, { project_id: projectId, ...windowOf(view.page, pageSize) }),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(projectId, 30_000),
  })
  const streamKey = useQuery(q(streamKeys.get, { project_id: projectId })).data
  return (
    <Card title={t('videos.title')}>
      <PagedList
        query={list}
        failed={t('videos.failed')}
        height={240}
        page={view.page}
        size={pageSize}
        to={to}
        empty={
          <EmptyState icon={<IconMovie size={26} />} title={t('videos.none')}>
            {t('videos.noneText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <RowList label={t('videos.title')}>
            {rows.map((video) => (
              <VideoRow key={video.id} {...{ projectId, video, streamKey, mayEdit }} />
            ))}
          </RowList>
        )}
      </PagedList>
      <Space projectId={projectId} />
    </Card>
  )
}

/** Space that films and recordings use, and what is left. */
function Space({ projectId }: Pick<Props, 'projectId'>) {
  const { t } = useTranslation('media', { keyPrefix: 'space' })
  const language = useLanguage()
  const { hasPlans } = useInstallation()
  const { data } = useQuery(q(videos.limits, { project_id: projectId }))
  if (!data) return <div className={styles.room} />
  const { video_limit: limit, video_current: used, removing_at: removingAt } = data
  const size = (bytes: number) => formatBytes(bytes, language)
  const words =
    limit === 0
      ? t('empty')
      : t('used', { used: size(used), limit: size(limit), left: size(Math.max(0, limit - used)) })
  return (
    <div className={styles.room}>
      {limit > 0 && <meter className={styles.meter} min={0} max={limit} value={used} aria-label={t('title')} />}
      <p className={styles.quiet}>
        {words} {hasPlans && <Link to={paths.tariffs(projectId, 'storage')}>{t('plans')}</Link>}
      </p>
      {removingAt && <p className={styles.quiet}>{t('removal', { when: formatDateTime(removingAt, language) })}</p>}
    </div>
  )
}
