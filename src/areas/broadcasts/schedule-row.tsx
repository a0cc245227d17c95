import { IconCalendarEvent, IconPencil, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Schedule, scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatDuration } from '#src/lib/duration.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { PlatformStates } from './schedule-platforms.tsx'
import styles from './schedule.module.css'
import { useRuleText } from './use-schedule-words.ts'

interface Props {
  readonly projectId: number
  readonly schedule: Schedule
  readonly mayEdit: boolean
  readonly onEdit: () => void
}

const tones: Readonly<Record<NonNullable<Schedule['run']>['state'], Tone>> = {
  waiting: 'accent',
  preparing: 'accent',
  ready: 'accent',
  live: 'live',
}

/** A schedule: when, what and where, its run, and what became of the last one. */
export function ScheduleRow({ projectId, schedule, mayEdit, onEdit }: Props) {
  const { t } = useTranslation('schedule')
  const ruleText = useRuleText()
  const [open, setOpen] = useState<'stop' | 'remove' | null>(null)
  const { name, run, active, channel_ids: channelIds, video, duration } = schedule
  const onClose = () => setOpen(null)
  const about = [
    t('videos', { count: video.ids.length }),
    duration !== null && duration > 0 && formatDuration(duration * 1000),
    video.loop && t('loops'),
    channelIds.length === 0 ? t('allChannels') : t('channels', { count: channelIds.length }),
  ]
  return (
    <Row
      name={`schedule ${schedule.id}`}
      lead={<IconCalendarEvent size={20} aria-hidden />}
      title={name}
      about={
        <>
          <span className={styles.line}>{ruleText(schedule)}</span>
          <span className={styles.line}>{about.filter(Boolean).join(' · ')}</span>
          <States schedule={schedule} />
          <PlatformStates projectId={projectId} schedule={schedule} />
        </>
      }
      actions={
        <>
          {run && <Badge tone={tones[run.state]}>{t(`run.${run.state}`)}</Badge>}
          {run && run.broadcast_id !== null && (
            <Link to={paths.broadcast(projectId, run.broadcast_id)}>{t('broadcast')}</Link>
          )}
          {mayEdit && (
            <span className={styles.icons}>
              {run && (
                <Button look="outline" aria-label={t('stop.one', { name })} onClick={() => setOpen('stop')}>
                  <IconPlayerStop size={18} aria-hidden />
                  {t('stop.button')}
                </Button>
              )}
              <IconButton label={t(active ? 'edit' : 'again', { name })} onClick={onEdit}>
                <IconPencil size={18} aria-hidden />
              </IconButton>
              <IconButton label={t('remove.one', { name })} onClick={() => setOpen('remove')}>
                <IconTrash size={18} aria-hidden />
              </IconButton>
            </span>
          )}
        </>
      }
    >
      {open === 'stop' && <StopDialog {...{ projectId, schedule, onClose }} />}
      {open === 'remove' && <RemoveDialog {...{ projectId, schedule, onClose }} />}
    </Row>
  )
}

/** The next date, videos that are not ready, and what became of the last run. */
function States({ schedule: { next, run, last, missed, video, repeat } }: Pick<Props, 'schedule'>) {
  const { t } = useTranslation('schedule')
  const language = useLanguage()
  const when = (seconds: number) => formatDateTime(new Date(seconds * 1000).toISOString(), language)
  const bad = video.items.filter(({ state }) => state !== 'ready')
  const following = next.find((seconds) => seconds !== run?.start_at)
  return (
    <>
      {repeat && following !== undefined && <span className={styles.line}>{t('next', { when: when(following) })}</span>}
      {run && run.words !== '' && <span className={styles.line}>{t('words', { words: run.words })}</span>}
      {bad.map(({ id, name, state }) => (
        <span key={id} className={styles.warning}>
          {t(`item.${state}`, { name })}
        </span>
      ))}
      {last && (
        <span className={last.state === 'missed' || last.state === 'failed' ? styles.warning : styles.line}>
          {t(`last.${last.state}`, { when: when(last.start_at) })}
          {last.reason && ` ${t(`reason.${last.reason}`)}`}
          {last.words !== '' && ` ${t('words', { words: last.words })}`}
        </span>
      )}
      {missed > 1 && <span className={styles.line}>{t('missed', { count: missed })}</span>}
    </>
  )
}

interface AskProps {
  readonly projectId: number
  readonly schedule: Schedule
  readonly onClose: () => void
}

function StopDialog({ projectId, schedule: { id, name, repeat }, onClose }: AskProps) {
  const { t } = useTranslation('schedule')
  const why = useFailureText('schedule')
  const stop = useWrite(scheduler.stop, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t('stop.title', { name })}
      confirm={t('stop.confirm')}
      keep={t('cancel')}
      isDanger
      isBusy={stop.isPending}
      problem={stop.error && t('notDone', { why: why(stop.error) })}
      onConfirm={() => stop.mutate({ project_id: projectId, id })}
      onClose={onClose}
    >
      <p>{t(repeat ? 'stop.textSeries' : 'stop.text')}</p>
    </ConfirmDialog>
  )
}

function RemoveDialog({ projectId, schedule: { id, name, run }, onClose }: AskProps) {
  const { t } = useTranslation('schedule')
  const why = useFailureText('schedule')
  const remove = useWrite(scheduler.remove, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t('remove.title', { name })}
      confirm={t('remove.confirm')}
      keep={t('cancel')}
      isDanger
      isBusy={remove.isPending}
      problem={remove.error && t('notDone', { why: why(remove.error) })}
      onConfirm={() => remove.mutate({ project_id: projectId, id })}
      onClose={onClose}
    >
      <p>{t(run ? 'remove.textOn' : 'remove.text')}</p>
    </ConfirmDialog>
  )
}
