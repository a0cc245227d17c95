import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { health, type TroubledJob } from '#contract/areas/operator/health.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

type Act = 'run' | 'giveUp'

interface Change {
  readonly job: TroubledJob
  readonly act: Act
}

/** Jobs that are parked or fail repeatedly, with their errors. */
export function JobsCard({ jobs }: { readonly jobs: readonly TroubledJob[] }) {
  const { t } = useTranslation('operator')
  const [open, setOpen] = useState<Change | null>(null)
  return (
    <Card title={t('jobs.title')} note={t('jobs.note')}>
      <RowList label={t('jobs.title')}>
        {jobs.map((job) => (
          <JobRow key={`${job.kind} ${job.key}`} job={job} onOpen={(act) => setOpen({ job, act })} />
        ))}
      </RowList>
      {open && <JobDialog {...open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

/** Returns the name of a job: the text of its kind, or the kind itself, and its key. */
function useJobName(): (job: TroubledJob) => string {
  const { t, i18n } = useTranslation('operator')
  return ({ kind, key }) => {
    const path = `jobs.kinds.${kind}`
    const name = i18n.exists(`operator:${path}`) ? t(path as 'jobs.kinds.jobs.missing') : kind
    return [name, key].filter(Boolean).join(' ')
  }
}

function JobRow({ job, onOpen }: { readonly job: TroubledJob; readonly onOpen: (act: Act) => void }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  const name = useJobName()(job)
  const { attempts, error, parked, running, periodic, date_next } = job
  return (
    <Row
      title={name}
      about={
        <>
          {t('jobs.attempts', { count: attempts })}
          {date_next && (
            <>
              {' · '}
              {t('jobs.next') + colon}
              <DateStamp iso={date_next} />
            </>
          )}
        </>
      }
      actions={
        running ? (
          <Badge>{t('jobs.running')}</Badge>
        ) : (
          <>
            {parked && <Badge tone="warn">{t('jobs.parked')}</Badge>}
            <Button look="outline" aria-label={t('jobs.runNamed', { name })} onClick={() => onOpen('run')}>
              {t('jobs.run')}
            </Button>
            {!periodic && (
              <Button look="outline" aria-label={t('jobs.giveUpNamed', { name })} onClick={() => onOpen('giveUp')}>
                {t('jobs.giveUp')}
              </Button>
            )}
          </>
        )
      }
    >
      <code className={styles.quiet}>{error}</code>
    </Row>
  )
}

/** Runs a job now, or gives it up. */
function JobDialog({ job, act, onClose }: Change & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator')
  const name = useJobName()(job)
  const form = useWriteForm({
    op: act === 'run' ? health.runJob : health.giveUpJob,
    area: 'operator',
    values: { reason: '' },
    inputOf: ({ reason }) => ({ kind: job.kind, key: job.key, reason: reason.trim() }),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t(`jobs.${act}Named`, { name })}
      confirm={t(`jobs.${act}`)}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p>{t(`jobs.${act}Text`)}</p>
    </ReasonDialog>
  )
}
