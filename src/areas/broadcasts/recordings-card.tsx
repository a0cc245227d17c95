import { IconAlertTriangle, IconCheck, IconLoader2, IconPlayerRecord, IconVideo } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Recording, recordings } from '#contract/areas/broadcasts/recordings.ts'
import { q } from '#src/api/query.ts'
import { formatDuration } from '#src/lib/duration.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './broadcasts.module.css'
import { formatBytes } from './format-bytes.ts'
import { useWhy } from './use-event-words.ts'

interface Props {
  readonly project_id: number
  readonly broadcast_id: number
  readonly isRunning: boolean
}

const looks: Readonly<Record<Recording['state'], readonly [Tone, typeof IconCheck]>> = {
  recording: ['live', IconPlayerRecord],
  processing: ['accent', IconLoader2],
  ready: ['ok', IconCheck],
  failed: ['warn', IconAlertTriangle],
}
const runningMs = 10_000

/** The files that were recorded, and where they are; nothing where nothing was. */
export function RecordingsCard({ isRunning, ...which }: Props) {
  const { t } = useTranslation('broadcasts')
  const language = useLanguage()
  const whyOf = useWhy()
  const files = useQuery({
    ...q(recordings.list, which),
    // A file is put into order after the broadcast.
    refetchInterval: ({ state }) =>
      isRunning || state.data?.results.some((one) => one.state === 'processing') ? runningMs : false,
  })
  const results = files.data?.results ?? []
  if (results.length === 0) return null
  return (
    <Card title={t('recordings.title')}>
      <RowList label={t('recordings.title')}>
        {results.map(({ id, state, reason, server, file, size, duration }) => {
          const [tone, Icon] = looks[state]
          const about = [
            size > 0 && formatBytes(size, language),
            duration !== null && formatDuration(duration),
            t('recordings.server', { server }),
            whyOf(reason, null),
          ]
          return (
            <Row
              key={id}
              lead={<IconVideo size={20} aria-hidden />}
              title={file}
              about={about.filter(Boolean).join(' · ')}
              actions={
                <Badge tone={tone} icon={<Icon size={14} aria-hidden />}>
                  {t(`recordings.state.${state}`)}
                </Badge>
              }
            />
          )
        })}
      </RowList>
      <p className={styles.quiet}>{t('recordings.where')}</p>
    </Card>
  )
}
