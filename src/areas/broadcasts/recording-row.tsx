import {
  IconAlertTriangle,
  IconCheck,
  IconDownload,
  IconLoader2,
  IconPlayerRecord,
  IconTrash,
  IconVideo,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Recording, recordings } from '#contract/areas/broadcasts/recordings.ts'
import { ownNode } from '#contract/core/codes.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { useWrite } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { saveFrom } from '#src/lib/table-file.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './broadcasts.module.css'
import { formatBytes } from './format-bytes.ts'
import { useWhy } from './use-event-words.ts'

interface Props {
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
export function RecordingRow({ projectId, recording, mayEdit }: Props) {
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
