import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type StreamKey, streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { useWrite } from '#src/api/query.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatMinutes } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

const waits = [0, 1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440]

/** Switch for recording, and the time that channels wait for a lost encoder. */
export function KeySettings({ projectId, streamKey }: { readonly projectId: number; readonly streamKey: StreamKey }) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const { hasPlans } = useInstallation()
  const language = useLanguage()
  const record = useWrite(streamKeys.setRecord)
  const wait = useWrite(streamKeys.setWait)
  const off = streamKey.masked ? t('settings.noRight') : undefined
  // Shows the requested value while the request is pending.
  const isRecorded = record.isPending ? record.variables.record : streamKey.record
  const minutes = wait.isPending ? wait.variables.wait_minutes : (streamKey.wait ?? 0)
  const max = streamKey.wait_max_minutes ?? Math.max(...waits)
  const offered = [...new Set([...waits.filter((value) => value <= max), minutes])].toSorted((a, b) => a - b)
  const error = record.error ?? wait.error
  return (
    <Card title={t('settings.title')}>
      <div className={styles.setting}>
        <Switch
          label={t('settings.record')}
          isOn={isRecorded}
          isBusy={record.isPending}
          off={off}
          onChange={(isOn) => record.mutate({ project_id: projectId, record: isOn })}
        />
        <p className={styles.hint}>{t('settings.recordHint')}</p>
      </div>
      <div className={styles.setting}>
        <SelectField
          label={t('settings.wait')}
          hint={t('settings.waitHint')}
          value={String(minutes)}
          choices={offered.map((value) => ({
            value: String(value),
            label: value === 0 ? t('settings.noWait') : formatMinutes(value, language),
          }))}
          disabled={off !== undefined}
          onChange={(value) => wait.mutate({ project_id: projectId, wait_minutes: Number(value) })}
        />
        {hasPlans && streamKey.wait_max_minutes !== undefined && (
          <p className={styles.hint}>
            {t('settings.waitMax', { time: formatMinutes(max, language) })}{' '}
            <Link to={paths.tariffs(projectId)}>{t('settings.plans')}</Link>
          </p>
        )}
      </div>
      <Note tone="live">{error && t('settings.failed', { why: why(error) })}</Note>
    </Card>
  )
}
