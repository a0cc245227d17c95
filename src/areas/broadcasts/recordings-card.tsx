import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Recording, recordings } from '#contract/areas/broadcasts/recordings.ts'
import { q, useWrite } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './broadcasts.module.css'
import { formatBytes } from './format-bytes.ts'
import {
  IconAlertTriangle,
  IconCheck,
  IconDownload,
  IconLoader2,
  IconPlayerRecord,
  IconTrash,
  IconVideo,
} from '@tabler/icons-react'
import { useState } from 'react'
import { ownNode } from '#contract/core/codes.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { saveFrom } from '#src/lib/table-file.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { useWhy } from './use-event-words.ts'

interface RecordingRowProps {
  readonly projectId: number
  readonly recording: Recording
  readonly mayEdit: boolean
}

const badges: Readonly<Record<Recording['state'], readonly [Tone, typeof IconVideo]>> = {
  recording: ['live', IconPlayerRecord],
  processing: ['accent', IconLoader2],
  ready: ['ok', IconCheck],
  failed: ['warn', IconAlertTriangle],
}

/** One recording: start, duration, size and storage, with download and delete. */
function RecordingRow({ projectId, recording, mayEdit }: RecordingRowProps) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'recordings' })
  const language = useLanguage()
  const whyOf = useWhy()
  const wordsOf = useFailureText('broadcasts')
  const [isAsking, setAsking] = useState(false)
  const { id, state, reason, server, file, size, duration, created_at: at } = recording
  const input = { project_id: projectId, id }
  const queries = useQueryClient()
  // A mutation instead of a query: the URL contains a ticket and must not stay in a cache.
  const fetching = useMutation({
    mutationFn: () => call(recordings.download, input, { sessionId: sessionOf(queries) }),
    onSuccess: ({ url, name }) => saveFrom(new URL(url, apiRuntime().baseUrl || location.origin).href, name),
  })
  const remove = useWrite(recordings.remove, { onSuccess: () => setAsking(false) })
  const when = formatDateTime(at, language)
  const type = file.split('.').at(-1)?.toUpperCase() ?? ''
  const length = duration === null ? '' : formatDuration(duration)
  const about = [
    length,
    size > 0 && formatBytes(size, language),
    server !== ownNode && t('server', { server }),
    whyOf(reason, null),
  ]
  return (
    <Row
      lead={<IconVideo size={20} aria-hidden />}
      title={<time dateTime={at}>{when}</time>}
      about={about.filter(Boolean).join(' · ')}
      actions={
        <>
          <State state={state} type={type} />
          {state === 'ready' && (
            <Button
              look="outline"
              isBusy={fetching.isPending}
              aria-label={t('fetchOne', { type, when })}
              onClick={() => fetching.mutate()}
            >
              <IconDownload size={18} aria-hidden />
              {t('fetch')}
            </Button>
          )}
          {mayEdit && (state === 'ready' || state === 'failed') && (
            <IconButton label={t('remove', { when })} onClick={() => setAsking(true)}>
              <IconTrash size={18} aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      {fetching.error && (
        <p className={styles.quiet} role="alert">
          {t('notFetched', { why: wordsOf(fetching.error) })}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('ask')}
          confirm={t('confirm')}
          keep={t('keep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && t('notRemoved', { why: wordsOf(remove.error) })}
          onConfirm={() => remove.mutate(input)}
          onClose={() => setAsking(false)}
        >
          <p>{t('askText', { when, size: formatBytes(size, language) })}</p>
        </ConfirmDialog>
      )}
    </Row>
  )
}

/** File type of a finished recording, or the state of any other recording. */
function State({ state, type }: { readonly state: Recording['state']; readonly type: string }) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'recordings' })
  const [tone, Icon] = badges[state]
  return (
    <Badge tone={tone} icon={<Icon size={14} aria-hidden />}>
      {state === 'ready' ? type : t(`state.${state}`)}
    </Badge>
  )
}

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
function Storage({ projectId }: { readonly projectId: number }) {
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
