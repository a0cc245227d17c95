import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { q } from '#src/api/query.ts'
import { useSettled } from '#src/api/settled.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import styles from './broadcasts.module.css'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { RecordingRow } from './recording-row.tsx'

interface Props {
  readonly project_id: number
  readonly broadcast_id: number
  readonly isRunning: boolean
}

const runningMs = 10_000

/** Recordings to download and delete, and the storage used; hidden without recordings. */
export function RecordingsCard({ isRunning, ...which }: Props) {
  const { t } = useTranslation('broadcasts')
  const mayEdit = useMayEdit(which.project_id)
  const files = useQuery({
    ...q(recordings.list, which),
    enabled: useSettled(),
    // The service finalizes files after the broadcast.
    refetchInterval: ({ state }) =>
      isRunning || state.data?.results.some((one) => one.state === 'processing') ? runningMs : false,
  })
  const results = files.data?.results ?? []
  if (results.length === 0) return null
  return (
    <Card title={t('recordings.title')}>
      <RowList label={t('recordings.title')}>
        {results.map((recording) => (
          <RecordingRow key={recording.id} projectId={which.project_id} recording={recording} mayEdit={mayEdit} />
        ))}
      </RowList>
      <Storage projectId={which.project_id} />
      <HelpLinkLater article="stream/recordings" />
    </Card>
  )
}

/** Recording storage used by the project, and the limit of its tariff. */
export function Storage({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'recordings' })
  const language = useLanguage()
  const { stop } = usePunctuation()
  const { hasPlans } = useInstallation()
  const { data } = useQuery(q(recordings.limits, { project_id: projectId }))
  if (!data) return null
  const { video_limit: limit, video_current: used, removal } = data
  const words = t('storage', { used: formatBytes(used, language), limit: formatBytes(limit, language) })
  return (
    <div className={styles.storage}>
      <meter className={styles.meter} min={0} max={Math.max(limit, 1)} value={used} aria-label={words} />
      <p className={styles.quiet}>
        {words + stop}
        {used >= limit && `${t(hasPlans ? 'full' : 'fullHere')} `}
        {hasPlans && <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>}
      </p>
      {removal && (
        <p className={styles.quiet}>
          {t('removal', {
            when: formatDateTime(removal.removing_at, language),
            count: removal.files,
            size: formatBytes(removal.size, language),
          })}
        </p>
      )}
    </div>
  )
}
